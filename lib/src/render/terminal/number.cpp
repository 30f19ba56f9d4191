// Writes numbers for people; lib/page/numbers.js follows the same rules.
#include "render/terminal/number.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "core/text/bit_cast.hpp"

namespace attn {
namespace {

constexpr double kLarge = 1e5;
constexpr double kScienceBelow = 1e-3;

constexpr int kMaxPrecision = 17;
constexpr int kLeastDecimals = 2;          // with fewer, e^2 could mean e^2.5
constexpr double kWholeNumbersEnd = 1e16;  // from 2^53 on, doubles skip whole numbers

/// "<.001" for 0.0004 at 3 decimals, "<1" at none.
std::string less_than_shown(double value, int precision) {
  std::string text = value < 0 ? ">-" : "<";
  if (precision > 0) text += "." + std::string(static_cast<std::size_t>(precision - 1), '0');
  return text + "1";
}

bool asks_for_science(std::span<const double> values) {
  std::uint64_t most = 0;  // bits of the largest finite magnitude
  for (const double value : values) {
    constexpr std::uint64_t kMagnitude = 0x7fffffffffffffff, kInfinity = 0x7ff0000000000000;
    const std::uint64_t size = bit_cast<std::uint64_t>(value) & kMagnitude;
    most = std::max(most, size < kInfinity ? size : 0);
  }
  const auto largest = bit_cast<double>(most);
  return largest >= kLarge || (largest > 0.0 && largest < kScienceBelow);
}

/// How many decimals there are in the shortest text that means exactly this value.
int decimals_of(double value, bool scientific) {
  if (!std::isfinite(value) || (!scientific && std::trunc(value) == value)) return 0;
  const std::string text = format_exact_scientific(value);
  const std::size_t point = text.find('.'), e = text.find('e');
  const int mantissa = point == text.npos ? 0 : static_cast<int>(e - point - 1);
  if (scientific) return mantissa;
  return std::max(0, mantissa - std::stoi(text.substr(e + 1)));
}

/// Most numbers of a first example are, and need no trial.
bool is_small_whole(double value) { return std::trunc(value) == value && std::abs(value) < 1e9; }

/// Whether the text is that number. The largest double, rounded up, is out of range and reads as 0.
bool says(const std::string& text, double value) {
  return is_nearly(parse_number(text).value_or(0.0), value);
}

}  // namespace

NumberFormat choose_format(std::span<const double> values, int most, Notation notation) {
  const bool scientific =
      notation == Notation::Auto ? asks_for_science(values) : notation == Notation::Scientific;
  int decimals = 0;
  for (const double value : values) {
    if (decimals >= most) break;
    decimals = std::max(decimals, decimals_of(value, scientific));
  }
  return {std::min(decimals, most), scientific};
}

std::string format_number(double value, const NumberFormat& format) {
  assert(format.precision >= 0 && format.precision <= kMaxPrecision);
  if (!std::isfinite(value)) return format_exact(value);
  const auto write = format.scientific ? format_scientific : format_fixed;
  std::string text = write(value + 0.0, format.precision);  // + 0: never −0
  const bool vanishes = value != 0.0 && text.find_first_of("123456789") == text.npos;
  if (vanishes) text = less_than_shown(value, format.precision);
  if (format.comma) std::replace(text.begin(), text.end(), '.', ',');
  return text;
}

bool is_nearly(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isnan(a) ? std::isnan(b) : a == b;
  const double few_bits = 4 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= few_bits * std::max(std::abs(a), std::abs(b));
}

namespace {

std::string short_digits(double value, int precision) {
  const double size = std::abs(value);
  if (is_small_whole(value)) return format_number(value, NumberFormat{0});
  const int decimals = std::max(precision, kLeastDecimals);
  const bool vanishes = size > 0.0 && size <= 0.5 * std::pow(10.0, -decimals);
  if (std::isfinite(value) && (vanishes || size >= kWholeNumbersEnd))
    return format_digits(value, decimals);
  const std::string text = format_trimmed(value, std::min(decimals + 2, kMaxPrecision));
  return says(text, value) ? text : format_number(value, NumberFormat{decimals});
}

}  // namespace

std::string short_number(double value, int precision) {
  return with_decimal_mark(short_digits(value, precision));
}

std::string points_text(double points) {
  return points == 1.0 ? translated("1 point") : translated("{n} points", short_number(points, 3));
}

std::string points_text(double score, double most) {
  double shown = std::round(100.0 * score) / 100.0;
  if (shown >= most && score < most) shown = std::floor(100.0 * score) / 100.0;
  return translated(most == 1.0 ? "{n} of 1 point" : "{n} of {all} points", short_number(shown, 2),
                    short_number(most, 3));
}

bool is_exact_in_short(double value, int precision) {
  return is_small_whole(value) || says(short_digits(value, precision), value);
}

}  // namespace attn
