// Which kinds of numbers that are not finite a tensor holds.
#pragma once

#include <span>

namespace attn {

struct NotFinite {
  bool nan = false, infinity = false, minus_infinity = false;

  bool any() const { return nan || infinity || minus_infinity; }
  NotFinite& operator|=(const NotFinite& other);
};

/// Those that are among `numbers`.
NotFinite not_finite_among(std::span<const double> numbers);

/// Whether each number is 0 or −0.
bool all_zero(std::span<const double> numbers);

}  // namespace attn
