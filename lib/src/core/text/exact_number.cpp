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

}  // namespace attn
