// Writes numbers for people.
#include "render/terminal/number.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

#include "core/text/exact_number.hpp"

namespace attn {
namespace {

constexpr double kLarge = 1e5;
constexpr double kSmall = 1e-3;

constexpr int kMaxPrecision = 17;
constexpr int kLeastDecimals = 2;          // with fewer, e^2 could mean e^2.5
constexpr double kWholeNumbersEnd = 1e16;  // from 2^53 on, doubles skip whole numbers
constexpr int kLongestFixed =
    1 + std::numeric_limits<double>::max_exponent10 + 1 + 1 + kMaxPrecision;

/// The powers of ten by which numbers can be multiplied here.
constexpr std::array kPowers{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};

/// A number without its sign in units of the last decimal, rounded. Nothing if there are too many,
/// or it is so near to a half that the error of the product could decide.
std::optional<std::uint32_t> in_units(double size, int precision) {
  constexpr double kMost = 1e9, kNearly = 1e-6;  // errors are below 1e9 · 2^-53
  if (precision >= std::ssize(kPowers)) return std::nullopt;
  const double exact = size * kPowers[static_cast<std::size_t>(precision)];
  if (!(exact < kMost)) return std::nullopt;
  const auto below = static_cast<std::uint32_t>(exact);
  const double rest = exact - static_cast<double>(below);
  if (std::abs(rest - 0.5) < kNearly) return std::nullopt;
  return below + (rest > 0.5 ? 1 : 0);
}

/// Adds `shown` after as many spaces as make it `width` characters wide.
void append_right(std::string& text, std::string_view shown, std::ptrdiff_t width) {
  const std::ptrdiff_t missing = width - std::ssize(shown);
  if (missing > 0) text.append(static_cast<std::size_t>(missing), ' ');
  text += shown;
}

/// "0.042" for 42 units at 3 decimals.
void append_units(std::string& text, std::uint32_t units, int precision, bool minus,
                  std::ptrdiff_t width) {
  char digits[24];
  char* const end = std::end(digits);
  char* at = end;
  for (int i = 0; i <= precision || units > 0; ++i, units /= 10) {
    if (i == precision && i > 0) *--at = '.';
    *--at = static_cast<char>('0' + units % 10);
  }
  if (minus) *--at = '-';
  append_right(text, {at, end}, width);
}

/// "<.001" for 0.0004 at 3 decimals, "<1" at none.
std::string less_than_shown(double value, int precision) {
  std::string text = value < 0 ? ">-" : "<";
  if (precision > 0) text += "." + std::string(static_cast<std::size_t>(precision - 1), '0');
  return text + "1";
}

/// A number that `append_units` does not write.
std::string rarer_number(double value, const NumberFormat& format) {
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

bool asks_for_science(std::span<const double> values) {
  std::uint64_t most = 0;  // bits of the largest finite magnitude
  for (const double value : values) {
    constexpr std::uint64_t kMagnitude = 0x7fffffffffffffff, kInfinity = 0x7ff0000000000000;
    const std::uint64_t size = std::bit_cast<std::uint64_t>(value) & kMagnitude;
    most = std::max(most, size < kInfinity ? size : 0);
  }
  const auto largest = std::bit_cast<double>(most);
  return largest >= kLarge || (largest > 0.0 && largest < kSmall);
}

/// How many decimals there are in the shortest text that means exactly this value.
int decimals_of(double value, bool scientific) {
  if (!std::isfinite(value) || (!scientific && std::trunc(value) == value)) return 0;
  char digits[32];
  const auto end =
      std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::scientific);
  const std::string_view text(digits, static_cast<std::size_t>(end.ptr - digits));
  const std::size_t point = text.find('.'), e = text.find('e');
  const int mantissa = point == text.npos ? 0 : static_cast<int>(e - point - 1);
  if (scientific) return mantissa;
  return std::max(0, mantissa - std::stoi(std::string(text.substr(e + 1))));
}

/// Most numbers of a first example are, and need no trial.
bool is_small_whole(double value) { return std::trunc(value) == value && std::abs(value) < 1e9; }

/// Whether the text is that number. The largest double, rounded up, is out of range and reads as 0.
bool says(const std::string& text, double value) {
  double read = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return is_nearly(read, value);
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

void append_number(std::string& text, double value, const NumberFormat& format,
                   std::ptrdiff_t width) {
  if (!format.scientific && std::isfinite(value)) {  // std::to_chars takes five times as long
    const std::optional<std::uint32_t> units = in_units(std::abs(value), format.precision);
    const bool vanishes = units == 0U && value != 0.0;
    if (units && !vanishes) return append_units(text, *units, format.precision, value < 0.0, width);
  }
  append_right(text, rarer_number(value, format), width);
}

std::string format_number(double value, const NumberFormat& format) {
  std::string text;
  append_number(text, value, format, 0);
  return text;
}

bool is_nearly(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isnan(a) ? std::isnan(b) : a == b;
  const double few_bits = 4 * std::numeric_limits<double>::epsilon();
  return std::abs(a - b) <= few_bits * std::max(std::abs(a), std::abs(b));
}

std::string short_number(double value, int precision) {
  const double size = std::abs(value);
  if (is_small_whole(value)) return format_number(value, NumberFormat{0});
  const int decimals = std::max(precision, kLeastDecimals);
  const bool vanishes = size > 0.0 && size <= 0.5 * std::pow(10.0, -decimals);
  if (std::isfinite(value) && (vanishes || size >= kWholeNumbersEnd)) {
    char digits[32];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), value,
                                   std::chars_format::general, decimals);
    return {digits, end.ptr};
  }
  std::string text = format_number(value, NumberFormat{std::min(decimals + 2, kMaxPrecision)});
  if (text.find('.') == text.npos) return text;
  if (!says(text, value)) return format_number(value, NumberFormat{decimals});
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string points_text(double points) {
  return short_number(points, 3) + (points == 1.0 ? " point" : " points");
}

std::string points_text(double score, double most) {
  return short_number(score, 3) + " of " + points_text(most);
}

bool is_exact_in_short(double value, int precision) {
  return is_small_whole(value) || says(short_number(value, precision), value);
}

}  // namespace attn
