// What std::to_chars and std::from_chars do with doubles, for C++ libraries that lack it.
#include "core/text/printf_digits.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

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
  const std::string scientific = printf_digits(value, std::chars_format::scientific);
  const auto e = scientific.find('e');
  const int decimals = std::max(0, static_cast<int>(e) - (std::signbit(value) ? 3 : 2));
  const int places = decimals - std::atoi(scientific.c_str() + e + 1);
  const std::string fixed = printed("%.*f", std::max(0, places), value);
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

std::string printf_digits(double value, std::chars_format) {
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
