// Takes numbers within 1e-12 for equal (relative if large), and names the first place that differs.
#include "support/compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace attn::testing {
namespace {

/// "[1, 0, 3]": the place of number `n` in an array of that shape.
std::string place_text(const std::vector<std::ptrdiff_t>& shape, std::size_t n) {
  std::string text;
  auto rest = static_cast<std::ptrdiff_t>(n);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    text = std::to_string(rest % shape[axis]) + (text.empty() ? "" : ", ") + text;
    rest /= shape[axis];
  }
  return "[" + text + "]";
}

}  // namespace

bool close(double expected, double found) {
  if (std::isnan(expected) || std::isnan(found)) return std::isnan(expected) && std::isnan(found);
  if (expected == found) return true;
  if (std::isinf(expected) || std::isinf(found)) return false;
  return std::abs(expected - found) <= 1e-12 * std::max(1.0, std::abs(expected));
}

std::string first_difference(const Array& expected, const Tensor& found) {
  if (expected.shape != found.shape().sizes()) {
    return "sizes " + shape_text(found.shape().sizes()) + ", expected " +
           shape_text(expected.shape);
  }
  for (std::size_t n = 0; n < expected.data.size(); ++n) {
    if (close(expected.data[n], found.data()[n])) continue;
    std::ostringstream text;
    text.precision(std::numeric_limits<double>::max_digits10);
    text << place_text(expected.shape, n) << " is " << found.data()[n] << ", expected "
         << expected.data[n];
    return text.str();
  }
  return "";
}

std::string first_difference(const Tensor& expected, const Tensor& found) {
  return first_difference(Array{expected.shape().sizes(), expected.data().copy()}, found);
}

}  // namespace attn::testing
