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

bool same(double a, double b) {
  const bool equal = a == b && std::signbit(a) == std::signbit(b);
  return equal || (std::isnan(a) && std::isnan(b));
}

bool same(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return same(x, y); });
}

std::string first_difference(std::span<const double> expected, std::span<const double> found,
                             double tolerance) {
  if (expected.size() != found.size()) {
    return std::to_string(found.size()) + " numbers, expected " + std::to_string(expected.size());
  }
  for (std::size_t n = 0; n < expected.size(); ++n) {
    const Closeness numbers = close(expected[n], found[n], tolerance);
    if (numbers) continue;
    std::ostringstream text;
    text << "number " << n << ": " << numbers;
    return text.str();
  }
  return "";
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
