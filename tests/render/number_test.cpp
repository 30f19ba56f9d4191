// Numbers for people: decimals, zeros, what is not finite.
#include "render/terminal/number.hpp"

#include <doctest/doctest.h>

#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/render/text.hpp"
#include "support/infinity.hpp"

using attn::choose_format;
using attn::format_exact;
using attn::format_number;
using attn::testing::kInfinity;
using attn::testing::kNan;

namespace {

std::string fixed(double value, int precision = 3) {
  return format_number(value, {.precision = precision});
}

std::string scientific(double value, int precision = 3) {
  return format_number(value, {.precision = precision, .scientific = true});
}

bool is_scientific(const std::vector<double>& values) {
  return choose_format(values, 3).scientific;
}

}  // namespace

TEST_CASE("number: fixed decimals, as many as asked for") {
  CHECK(fixed(1.0 / std::sqrt(2.0)) == "0.707");
  CHECK(fixed(-1.25) == "-1.250");
  CHECK(fixed(12345.6789, 2) == "12345.68");
  CHECK(fixed(2.0, 0) == "2");
  CHECK(fixed(0.1, 17) == "0.10000000000000001");
}

TEST_CASE("number: zero has no sign, and neither has negative zero") {
  CHECK(fixed(0.0) == "0.000");
  CHECK(fixed(-0.0) == "0.000");
  CHECK(fixed(-0.0, 0) == "0");
  CHECK(scientific(-0.0) == "0.000e+00");
}

TEST_CASE("number: what would round to zero but is not looks different, at the same width") {
  CHECK(fixed(0.0004) == "<.001");
  CHECK(fixed(-0.0001) == ">-.001");
  CHECK(fixed(0.0006) == "0.001");
  CHECK(fixed(-0.0006) == "-0.001");
  CHECK(fixed(0.2, 0) == "<1");
  CHECK(fixed(-0.2, 0) == ">-1");
  CHECK(fixed(0.01, 1) == "<.1");
  CHECK(fixed(5e-324) == "<.001");
  CHECK(fixed(1e-18, 17).size() == fixed(0.0, 17).size());
}

TEST_CASE("number: infinities and nan are words") {
  CHECK(fixed(kInfinity) == "inf");
  CHECK(fixed(-kInfinity) == "-inf");
  CHECK(fixed(kNan) == "nan");
  CHECK(fixed(-kNan) == "nan");
  CHECK(scientific(-kInfinity) == "-inf");
}

TEST_CASE("number: everything near zero in one matrix can be told apart") {
  const std::vector<std::string> texts = {fixed(-kInfinity), fixed(0.0), fixed(1e-9), fixed(-1e-9),
                                          fixed(kNan)};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) CHECK(texts[i] != texts[j]);
  }
}

TEST_CASE("number: points line up in a right-aligned column") {
  for (const double value : {0.0, -0.0, 1.414, -2.5, 0.0004, -0.0004, 12345.0}) {
    CHECK(attn::pad_left(fixed(value), 12).find('.') == 8);
  }
}

TEST_CASE("number: scientific notation only if one is very large, or all are very small") {
  CHECK_FALSE(is_scientific({0.9, 0.0001, 0.0999}));
  CHECK_FALSE(is_scientific({99999.0, 1e-9}));
  CHECK(is_scientific({1e5, 1.0}));
  CHECK(is_scientific({-1e5, 1.0}));
  CHECK(is_scientific({0.0, 9e-4, -1e-7}));
  CHECK_FALSE(is_scientific({0.0, 1e-3}));
  CHECK_FALSE(is_scientific({0.0, 0.0}));
  CHECK_FALSE(is_scientific({}));
}

TEST_CASE("number: infinities and nan do not choose the notation") {
  CHECK_FALSE(is_scientific({-kInfinity, 0.5, kNan}));
  CHECK(is_scientific({-kInfinity, 1e-4}));
  CHECK_FALSE(is_scientific({kInfinity, kNan}));
}

TEST_CASE("number: as few decimals as show every number exactly, at most as many as asked for") {
  const auto decimals = [](const std::vector<double>& values, int most = 3) {
    return choose_format(values, most).precision;
  };
  CHECK(decimals({3.0, -20.0, 0.0}) == 0);
  CHECK(decimals({1.5, -0.25}) == 2);
  CHECK(decimals({1.0, 0.5}, 0) == 0);
  CHECK(decimals({1.0 / 3.0, 1.0}) == 3);
  CHECK(decimals({1.0 / 3.0}, 17) == 16);
  CHECK(decimals({0.0625}) == 3);
  CHECK(decimals({0.0625}, 5) == 4);
  CHECK(decimals({1.0, 0.0004}) == 3);
  CHECK(decimals({-kInfinity, kNan, 0.5}) == 1);
  CHECK(decimals({}) == 0);
  CHECK(decimals({1.25e6, 1e5}) == 2);  // 1.25e+06, 1.00e+05
  CHECK(decimals({5e-324}) == 0);       // 5e-324
}

TEST_CASE("number: scientific notation has at least two digits of exponent") {
  CHECK(scientific(123400.0) == "1.234e+05");
  CHECK(scientific(-0.000123) == "-1.230e-04");
  CHECK(scientific(1e300, 0) == "1e+300");
  CHECK(scientific(5e-324) == "4.941e-324");
}

TEST_CASE("number: the longest number there is can be written") {
  const double largest = std::numeric_limits<double>::max();
  CHECK(fixed(-largest, 17).size() == 1 + 309 + 1 + 17);
}

TEST_CASE("number: rounded weights may not add up, their exact sum does") {
  std::vector<double> weights = {2.75, 1.75, 2.0, 4.0};  // times √2: the scores of one query
  double sum = 0.0;
  for (double& weight : weights) sum += weight = std::exp(weight / std::sqrt(2.0));
  for (double& weight : weights) weight /= sum;
  std::string shown;
  for (const double weight : weights) shown += fixed(weight) + " ";
  CHECK(shown == "0.222 0.110 0.131 0.538 ");  // 1.001 by these digits
  CHECK(fixed(weights[0] + weights[1] + weights[2] + weights[3]) == "1.000");
}

TEST_CASE("number: the locale does not matter") {
  struct Commas : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const std::locale streams = std::locale::global(std::locale(std::locale(), new Commas));
  std::ostringstream stream;
  stream << 1234.5;
  CHECK(stream.str() == "1,234,5");
  for (const char* name : {"C", "de_DE.UTF-8", "fr_FR.UTF-8"}) {  // as far as they are installed
    std::setlocale(LC_ALL, name);
    CHECK(fixed(1234.5) == "1234.500");
    CHECK(format_exact(1234.5) == "1234.5");
  }
  std::setlocale(LC_ALL, before.c_str());
  std::locale::global(streams);
}

TEST_CASE("points: one of them is in the singular") {
  CHECK(attn::points_text(1.0, 1.0) == "1 of 1 point");
  CHECK(attn::points_text(0.0, 1.0) == "0 of 1 point");
  CHECK(attn::points_text(10.0 / 3.0, 5.0) == "3.33 of 5 points");
  CHECK(attn::points_text(0.25, 2.0) == "0.25 of 2 points");
  CHECK(attn::points_text(9.996, 10.0) == "9.99 of 10 points");
}
