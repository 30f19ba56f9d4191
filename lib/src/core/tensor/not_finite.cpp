// One pass over the bits: in almost all tensors every number is finite.
#include "attn/core/not_finite.hpp"

#include <cmath>
#include <cstdint>

#include "core/text/bit_cast.hpp"

namespace attn {

NotFinite& NotFinite::operator|=(const NotFinite& other) {
  nan = nan || other.nan;
  infinity = infinity || other.infinity;
  minus_infinity = minus_infinity || other.minus_infinity;
  return *this;
}

NotFinite not_finite_among(std::span<const double> numbers) {
  // Only if all bits of the exponent are set does adding one to it reach the sign.
  constexpr std::uint64_t kExponent = 0x7ff0000000000000, kOne = 0x0010000000000000;
  std::uint64_t carried = 0;
  for (const double x : numbers) carried |= (bit_cast<std::uint64_t>(x) & kExponent) + kOne;
  if (carried >> 63U == 0) return {};
  std::uint64_t nan = 0, infinity = 0, minus_infinity = 0;  // as wide as the numbers: vectorised
  for (const double x : numbers) {
    nan |= static_cast<std::uint64_t>(std::isnan(x));
    infinity |= static_cast<std::uint64_t>(x == HUGE_VAL);
    minus_infinity |= static_cast<std::uint64_t>(x == -HUGE_VAL);
  }
  return {nan != 0, infinity != 0, minus_infinity != 0};
}

bool all_zero(std::span<const double> numbers) {
  std::uint64_t bits = 0;
  for (const double x : numbers) bits |= bit_cast<std::uint64_t>(x);
  return bits << 1U == 0;
}

}  // namespace attn
