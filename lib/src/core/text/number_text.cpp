// Numbers as text, and back.
#include "attn/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "core/text/printf_digits.hpp"

namespace attn {
namespace {

#ifdef __cpp_lib_to_chars
/// Of a sign, the digits of the largest double, a point and 17 decimals.
constexpr int kLongest = 1 + std::numeric_limits<double>::max_exponent10 + 1 + 1 + 17;

template <typename... Format>
std::string digits_of(double value, Format... format) {
  char digits[kLongest];
  return {digits, std::to_chars(std::begin(digits), std::end(digits), value, format...).ptr};
}
#else
template <typename... Format>
std::string digits_of(double value, Format... format) {
  return std::isinf(value) ? std::signbit(value) ? "-inf" : "inf" : printf_digits(value, format...);
}
#endif

template <typename... Format>
std::string format_as(double value, Format... format) {
  return std::isnan(value) ? "nan" : digits_of(value, format...);  // whatever its sign
}

/// A number that is exactly halfway between two of so many decimals (negative: of so many zeros
/// before the point), moved to where it is rounded: away from zero.
double off_the_tie(double value, int decimals) {
  if (std::abs(decimals) > 22) return value;  // the powers of ten that are exact
  const double unit = std::pow(10.0, std::abs(decimals));
  bool half = false;
  if (decimals < 0) {
    half = std::fmod(std::abs(value), unit) == unit / 2.0;
  } else {
    const double scaled = value * unit;
    half = std::abs(scaled) - std::floor(std::abs(scaled)) == 0.5 &&
           std::fma(value, unit, -scaled) == 0.0;
  }
  return half ? std::nextafter(value, std::copysign(std::numeric_limits<double>::infinity(), value))
              : value;
}

/// The same for that many digits in all.
double off_the_tie_of_digits(double value, int digits) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  return off_the_tie(value, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
}

}  // namespace

std::string format_exact(double value) { return format_as(value); }

std::string format_exact_scientific(double value) {
  return format_as(value, std::chars_format::scientific);
}

char* put_exact(char* at, double value) {
#ifdef __cpp_lib_to_chars
  return std::to_chars(at, at + kExactLength, value).ptr;
#else
  const std::string digits = printf_digits(value);
  return static_cast<char*>(std::memcpy(at, digits.data(), digits.size())) + digits.size();
#endif
}

std::string format_fixed(double value, int decimals) {
  return format_as(off_the_tie(value, decimals), std::chars_format::fixed, decimals);
}

std::string format_trimmed(double value, int decimals) {
  std::string text = format_fixed(value, decimals);
  if (text.find('.') == text.npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string format_scientific(double value, int decimals) {
  return format_as(off_the_tie_of_digits(value, decimals + 1), std::chars_format::scientific,
                   decimals);
}

std::string format_digits(double value, int significant) {
  return format_as(off_the_tie_of_digits(value, std::max(significant, 1)),
                   std::chars_format::general, significant);
}

double rounded_to(double value, int decimals) {
  if (!std::isfinite(value)) return value;
  // Without a text where that gives the same: not near a half, which the product could miss.
  constexpr double kPowers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6}, kMost = 1e9, kNear = 1e-6;
  if (decimals >= 0 && decimals < std::ssize(kPowers)) {
    const double power = kPowers[decimals], scaled = value * power, whole = std::round(scaled);
    if (std::abs(scaled) < kMost && std::abs(scaled - whole) < 0.5 - kNear)
      return whole / power + 0.0;
  }
  return parse_number(format_fixed(value, decimals)).value_or(value) + 0.0;  // never −0
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0.0;
  const char *begin = text.data(), *end = begin + text.size();
  const bool whole = !text.empty() && parse_number(begin, end, number) == end;
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<double> parse_finite(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

const char* parse_number(const char* at, const char* end, double& number) {
#ifdef __cpp_lib_to_chars
  const auto [stop, failed] = std::from_chars(at, end, number);
  return failed == std::errc() ? stop : at;
#else
  return strtod_digits(at, end, number);
#endif
}

}  // namespace attn
