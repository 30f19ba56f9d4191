// Numbers as text where the C++ library cannot: the same texts, and the same numbers read.
#include "core/text/printf_digits.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "attn/number_text.hpp"
#include "core/text/bit_cast.hpp"

namespace attn {
namespace {

/// Finite numbers of all sizes: random bits, short decimals, whole numbers, powers of ten.
std::vector<double> all_sizes() {
  std::vector<double> numbers = {0.0, -0.0, 5e-324, 1e21, 1e22, 1e23, 123456789012345683968.0};
  std::mt19937_64 random(1);
  while (numbers.size() < 8000) {
    numbers.push_back(bit_cast<double>(random()));
    numbers.push_back(std::exp(static_cast<double>(random() % 700'000) / 1e4 - 30.0));
    numbers.push_back(-std::floor(numbers.back() * 1e12) / 1e12);
    numbers.push_back(static_cast<double>(random() % 100'000) / std::pow(10.0, random() % 9));
    numbers.push_back(std::pow(10.0, static_cast<double>(random() % 600) - 300.0));
    if (!std::isfinite(numbers[numbers.size() - 3])) numbers.erase(numbers.end() - 3);
  }
  return numbers;
}

template <typename... Format>
std::string by_library(double x, Format... format) {
  char digits[400];
  return {digits, std::to_chars(std::begin(digits), std::end(digits), x, format...).ptr};
}

double read_by(const char* (*read)(const char*, const char*, double&), const std::string& text,
               std::size_t& taken) {
  double number = 7.0;
  taken =
      static_cast<std::size_t>(read(text.data(), text.data() + text.size(), number) - text.data());
  return number;
}

}  // namespace

TEST_SUITE("printf digits") {
  TEST_CASE("every text is that of the C++ library") {
    std::string odd;
    for (const double x : all_sizes()) {
      if (printf_digits(x) != format_exact(x)) odd = format_exact(x);
      if (printf_digits(x, std::chars_format::scientific) != format_exact_scientific(x))
        odd = format_exact_scientific(x);
      for (const int digits : {0, 1, 3, 17}) {
        for (const auto format : {std::chars_format::fixed, std::chars_format::scientific,
                                  std::chars_format::general}) {
          if (printf_digits(x, format, digits) != by_library(x, format, digits))
            odd = format_exact(x);
        }
      }
    }
    CHECK(odd == "");
  }

  TEST_CASE("every number is read as the C++ library reads it, and as far") {
    std::vector<std::string> texts = {"",     "+1",   " 1", "1 ",        "1,5",    "1x",
                                      "0x10", "-",    "e5", "1e999",     "-1e999", "1e-999",
                                      "0e9",  ".5",   "5.", "-.5e-2,",   "inf",    "-Infinity",
                                      "nan",  "info", "1e", "1e+",       "1.5.2",  "--1",
                                      "1-2",  "0",    "-0", "0.000e400", "1e5e6",  "5e-324"};
    for (const double x : all_sizes()) texts.push_back(format_exact(x));
    for (const std::string& text : texts) {
      std::size_t ours = 0, theirs = 0;
      const double mine = read_by(strtod_digits, text, ours),
                   other = read_by(parse_number, text, theirs);
      CHECK_MESSAGE(ours == theirs, text);
      const bool same = mine == other || (std::isnan(mine) && std::isnan(other));
      CHECK_MESSAGE(same, text);
    }
  }
}

}  // namespace attn
