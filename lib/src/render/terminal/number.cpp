// Writes numbers for people.
#include "render/terminal/number.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/text/exact_number.hpp"

namespace attn {
namespace {

constexpr double kLarge = 1e5;
constexpr double kSmall = 1e-3;

constexpr int kMaxPrecision = 17;
constexpr int kLeastDecimals = 3;          // with fewer, e^2 could mean e^2.5
constexpr double kWholeNumbersEnd = 1e16;  // from here on, doubles skip whole numbers
constexpr int kLongestFixed =
    1 + std::numeric_limits<double>::max_exponent10 + 1 + 1 + kMaxPrecision;

/// "<.001" for 0.0004 at 3 decimals, "<1" at none.
std::string less_than_shown(double value, int precision) {
  std::string text = value < 0 ? ">-" : "<";
  if (precision > 0) text += "." + std::string(static_cast<std::size_t>(precision - 1), '0');
  return text + "1";
}

}  // namespace

NumberFormat choose_format(std::span<const double> values, int precision, Notation notation) {
  if (notation != Notation::Auto) return {precision, notation == Notation::Scientific};
  double largest = 0.0;  // finite magnitude
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  const bool all_small = largest > 0.0 && largest < kSmall;
  return {.precision = precision, .scientific = largest >= kLarge || all_small};
}

std::string format_number(double value, const NumberFormat& format) {
  assert(format.precision >= 0 && format.precision <= kMaxPrecision);
  if (!std::isfinite(value)) return format_exact(value);
  const double unsigned_zero = value == 0.0 ? 0.0 : value;
  char digits[kLongestFixed];
  const auto notation =
      format.scientific ? std::chars_format::scientific : std::chars_format::fixed;
  const auto end = std::to_chars(std::begin(digits), std::end(digits), unsigned_zero, notation,
                                 format.precision);
  const std::string text(digits, end.ptr);
  const bool shows_zero = text.find_first_of("123456789") == std::string::npos;
  return shows_zero && value != 0.0 ? less_than_shown(value, format.precision) : text;
}

bool is_nearly(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isnan(a) ? std::isnan(b) : a == b;
  const double few_bits = 4 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= few_bits * std::max(std::abs(a), std::abs(b));
}

std::string short_number(double value, int precision) {
  const int decimals = std::max(precision, kLeastDecimals);
  const double size = std::abs(value);
  const bool vanishes = size > 0.0 && size <= 0.5 * std::pow(10.0, -decimals);
  if (std::isfinite(value) && (vanishes || size >= kWholeNumbersEnd)) {
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), value,
                                   std::chars_format::general, decimals);
    return {digits, end.ptr};
  }
  std::string text = format_number(value, NumberFormat{std::min(decimals + 2, kMaxPrecision)});
  if (text.find('.') == text.npos) return text;
  if (!is_nearly(std::stod(text), value)) return format_number(value, NumberFormat{decimals});
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace attn
