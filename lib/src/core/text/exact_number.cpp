// Writes a number with exactly the digits it needs.
#include "core/text/exact_number.hpp"

#include <charconv>
#include <cmath>
#include <iterator>

namespace attn {

std::string format_exact(double value) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  char digits[32];
  return {digits, std::to_chars(std::begin(digits), std::end(digits), value).ptr};
}

std::optional<double> read_number(std::string_view text) {
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, number);
  const bool whole = stop == end && failed == std::errc() && std::isfinite(number);
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace attn
