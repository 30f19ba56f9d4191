// Takes numbers within a tolerance for equal, and names the first place that differs.
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

std::ostream& operator<<(std::ostream& out, const Closeness& numbers) {
  const auto digits = out.precision(std::numeric_limits<double>::max_digits10);
  out << "expected " << numbers.expected << ", found " << numbers.found;
  out.precision(digits);
  return out;
}

Closeness close(double expected, double found, double tolerance) {
  const double largest = tolerance * std::max(1.0, std::abs(expected));
  const bool both_nan = std::isnan(expected) && std::isnan(found);
  const bool agree = expected == found || (std::isfinite(expected) && std::isfinite(found) &&
                                           std::abs(expected - found) <= largest);
  return {both_nan || agree, expected, found};
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
