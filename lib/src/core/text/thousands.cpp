// Rounds a count, and puts a comma before each three digits from the end.
#include "core/text/thousands.hpp"

#include <cmath>

namespace attn {

std::string in_thousands(double count) {
  std::string digits = std::to_string(std::llround(count));
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

}  // namespace attn
