// Numbers as text, and back. A system whose C++ library cannot do this replaces this file.
#include "attn/number_text.hpp"

#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>

namespace attn {
namespace {

/// Of a sign, the digits of the largest double, a point and 17 decimals.
constexpr int kLongest = 1 + std::numeric_limits<double>::max_exponent10 + 1 + 1 + 17;

template <typename... Format>
std::string format_as(double value, Format... format) {
  if (std::isnan(value)) return "nan";  // whatever its sign
  char digits[kLongest];
  return {digits, std::to_chars(std::begin(digits), std::end(digits), value, format...).ptr};
}

}  // namespace

std::string format_exact(double value) { return format_as(value); }

std::string format_exact_scientific(double value) {
  return format_as(value, std::chars_format::scientific);
}

char* put_exact(char* at, double value) { return std::to_chars(at, at + kExactLength, value).ptr; }

std::string format_fixed(double value, int decimals) {
  return format_as(value, std::chars_format::fixed, decimals);
}

std::string format_trimmed(double value, int decimals) {
  std::string text = format_fixed(value, decimals);
  if (text.find('.') == text.npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string format_scientific(double value, int decimals) {
  return format_as(value, std::chars_format::scientific, decimals);
}

std::string format_digits(double value, int significant) {
  return format_as(value, std::chars_format::general, significant);
}

double rounded_to(double value, int decimals) {
  const double unit = std::pow(10.0, decimals);
  return std::isfinite(value) ? std::round(value * unit) / unit + 0.0 : value;  // + 0: never −0
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
  const auto [stop, failed] = std::from_chars(at, end, number);
  return failed == std::errc() ? stop : at;
}

}  // namespace attn
