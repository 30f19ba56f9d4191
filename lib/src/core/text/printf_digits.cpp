// Finds shortest digits in integers of 128 bits or by printf, and reads by strtod what may be read.
#include "core/text/printf_digits.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>

namespace attn {
namespace {

std::string printed(const char* format, int precision, double value) {
  char text[std::numeric_limits<double>::max_exponent10 + 40];
  const int size = std::snprintf(text, sizeof text, format, precision, value);
  return {text, static_cast<std::size_t>(size)};
}

/// How many decimals the shortest scientific text has. Every decimal number of 15 digits comes back
/// from a normal double, so that a shorter text is the one of 15 digits without its zeros.
int shortest_decimals(double value) {
  const auto reads_back = [&](const std::string& text) {
    return std::strtod(text.c_str(), nullptr) == value;
  };
  int decimals = 0;
  if (std::isnormal(value)) {
    decimals = std::numeric_limits<double>::digits10 - 1;
    const std::string text = printed("%.*e", decimals, value);
    if (reads_back(text)) {
      for (std::size_t at = text.find('e') - 1; text[at] == '0'; --at) --decimals;
      return decimals;
    }
  }
  while (!reads_back(printed("%.*e", decimals, value))) ++decimals;
  return decimals;
}

/// A number as `digits` · 10^−`decimals`, without zeros at the end.
struct Decimal {
  std::string digits;
  int decimals;

  int exponent() const { return static_cast<int>(digits.size()) - 1 - decimals; }
  std::string scientific() const {
    const std::string power = std::to_string(std::abs(exponent()));
    return digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "") +
           (exponent() < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power;
  }
  std::string fixed() const {
    const auto size = static_cast<int>(digits.size());
    if (decimals <= 0) return digits + std::string(static_cast<std::size_t>(-decimals), '0');
    if (decimals >= size)
      return "0." + std::string(static_cast<std::size_t>(decimals - size), '0') + digits;
    return std::string(digits).insert(static_cast<std::size_t>(size - decimals), ".");
  }
};

/// The shortest digits of a positive number of usual size, in whole numbers of 128 bits; nothing
/// for others, and where two texts are equally good. About thirty times as fast as printf.
std::optional<Decimal> usual_shortest(double value) {
  __extension__ using Wide = unsigned __int128;
  constexpr double kLeast = 1e-10, kMost = 9e15;
  constexpr int kBits = std::numeric_limits<double>::digits;
  constexpr std::uint64_t kSeventeen = 10000000000000000;
  if (!(value >= kLeast && value < kMost)) return std::nullopt;
  int power = 0;  // value = whole · 2^power
  const auto whole = static_cast<std::uint64_t>(std::ldexp(std::frexp(value, &power), kBits));
  power -= kBits;
  int decimals = 16 - static_cast<int>(std::floor(std::log10(value)));
  std::uint64_t five = 1;
  for (int i = 0; i < decimals; ++i) five *= 5;
  const int shift = -power - decimals;  // value · 10^decimals = scaled / 2^shift, of 17 digits
  if (shift < 1 || whole == std::uint64_t{1} << (kBits - 1)) return std::nullopt;
  const Wide scaled = Wide{whole} * five * 2, half_step = five;  // in units of 2^−(shift + 1)
  const auto off_by = [&](std::uint64_t digits) {
    const Wide other = Wide{digits} << (shift + 1);
    return other < scaled ? scaled - other : other - scaled;
  };
  std::optional<std::uint64_t> best;
  for (std::uint64_t unit = 1; unit <= kSeventeen; unit *= 10) {
    const auto below = static_cast<std::uint64_t>(scaled >> (shift + 1)) / unit * unit;
    const Wide down = off_by(below), up = off_by(below + unit), nearest = std::min(down, up);
    if (down == up || nearest == half_step) return std::nullopt;
    if (nearest > half_step) break;
    best = down < up ? below : below + unit;
  }
  if (!best) return std::nullopt;
  std::string digits = std::to_string(*best);
  while (digits.back() == '0') digits.pop_back(), --decimals;
  return Decimal{std::move(digits), decimals};
}

/// The text without what cannot belong to a number that from_chars reads.
std::string number_part(const char* at, const char* end) {
  const char* stop = at;
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '+';
  };
  while (stop != end && is_part(*stop)) ++stop;
  std::string text(at, stop);
  const std::size_t hex = text.find_first_of("xX");
  if (hex != text.npos) text.resize(hex);
  return text.starts_with('+') ? "" : text;
}

}  // namespace

std::string printf_digits(double value) {
  if (value == 0.0) return std::signbit(value) ? "-0" : "0";
  if (const auto usual = usual_shortest(std::abs(value))) {
    const std::string fixed = usual->fixed(), scientific = usual->scientific();
    return (value < 0.0 ? "-" : "") + (fixed.size() <= scientific.size() ? fixed : scientific);
  }
  const std::string scientific = printf_digits(value, std::chars_format::scientific);
  const auto e = scientific.find('e');
  const int decimals = std::max(0, static_cast<int>(e) - (std::signbit(value) ? 3 : 2));
  const int places = decimals - std::atoi(scientific.c_str() + e + 1);
  const std::string fixed = printed("%.*f", std::max(0, places), value);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

std::string printf_digits(double value, std::chars_format) {
  if (const auto usual = usual_shortest(std::abs(value)))
    return (value < 0.0 ? "-" : "") + usual->scientific();
  return printed("%.*e", shortest_decimals(value), value);
}

std::string printf_digits(double value, std::chars_format format, int precision) {
  const bool fixed = format == std::chars_format::fixed;
  return printed(fixed                                  ? "%.*f"
                 : format == std::chars_format::general ? "%.*g"
                                                        : "%.*e",
                 precision, value);
}

const char* strtod_digits(const char* at, const char* end, double& number) {
  const std::string text = number_part(at, end);
  char* stop = nullptr;
  const double read = std::strtod(text.c_str(), &stop);
  const std::string taken = text.substr(0, static_cast<std::size_t>(stop - text.c_str()));
  const bool digits = taken.find_first_of("123456789") < taken.find_first_of("eE");
  const bool lost =
      taken.find_first_of("nN") == taken.npos && (std::isinf(read) || (read == 0.0 && digits));
  if (taken.empty() || lost) return at;
  number = read;
  return at + taken.size();
}

}  // namespace attn
