// Numbers inside arithmetic: enough digits that what is written is true.

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "render/terminal/number.hpp"
#include "render/writers/worked_lines.hpp"

namespace attn {
namespace {

Worked worked_of(const Expression& how) {
  Worked worked{.cells = {{"x", {}, "x"}}, .how = how};
  worked.result = how.value;
  return worked;
}

std::string text_of(const Expression& how, int precision = 3) {
  return worked_text(worked_of(how), precision, {});
}

TEST_CASE("arithmetic: numbers are rounded, to two decimals at least, unless two more are exact") {
  struct Row {
    double value;
    int precision;
    const char* text;
  };
  for (const Row& row :
       {Row{2.5, 0, "2.5"}, Row{1.0 / 3, 0, "0.33"}, Row{1.0 / 3, 2, "0.33"},
        Row{1.0 / 3, 4, "0.3333"}, Row{0.0625, 3, "0.0625"}, Row{0.0625, 0, "0.0625"},
        Row{0.03125, 3, "0.03125"}, Row{0.015625, 3, "0.016"}, Row{0.015625, 4, "0.015625"},
        Row{0.1 + 0.2, 3, "0.3"}, Row{0.1, 12, "0.1"}, Row{3.0, 17, "3"}, Row{1e-5, 3, "1e-05"},
        Row{0.0, 0, "0"}, Row{-0.0, 3, "0"}}) {
    CAPTURE(row.value);
    CAPTURE(row.precision);
    CHECK(short_number(row.value, row.precision) == row.text);
  }
}

TEST_CASE("arithmetic: large numbers keep their digits as long as doubles have them") {
  CHECK(short_number(1.0 - 1e9, 1) == "-999999999");
  CHECK(short_number(0.5 - 1e9, 1) == "-999999999.5");
  CHECK(short_number(1e15 - 1.0, 3) == "999999999999999");
  CHECK(short_number(1e30, 3) == "1e+30");
  CHECK(short_number(std::numeric_limits<double>::infinity(), 3) == "inf");
  const Expression lost = sum({constant(1.0), constant(-1e9)});
  CHECK(text_of(lost, 1) == "x = 1 - 1000000000 = -999999999");
}

TEST_CASE("arithmetic: the smallest and the largest number are written like any other") {
  CHECK(short_number(1e-320, 3) == "1e-320");
  CHECK(short_number(1.7976e308, 3) == "1.8e+308");
  CHECK(is_exact_in_short(1e-320, 3));
  CHECK_FALSE(is_exact_in_short(1.7976e308, 3));
}

TEST_CASE("arithmetic: = where the printed numbers are exact, ≈ beside a rounded one") {
  const Expression third = quotient(constant(1), constant(3));
  const Expression exact = quotient(sum({constant(0.1), constant(0.2)}), constant(4, "√16"));
  const Expression root = quotient(constant(3), constant(std::sqrt(3.0), "√3"));
  const Expression softmax =
      quotient(exponential(constant(1)), sum({exponential(constant(1)), exponential(constant(2))}));
  CHECK(text_of(third) == "x = 1 / 3 ≈ 0.333");
  CHECK(text_of(exact) == "x = (0.1 + 0.2) / √16 = 0.3 / 4 = 0.075");
  CHECK(text_of(root) == "x = 3 / √3 ≈ 3 / 1.732 ≈ 1.732");
  CHECK(text_of(softmax) == "x = e^1 / (e^1 + e^2) ≈ 2.718 / 10.107 ≈ 0.269");
  CHECK(text_of(product(constant(1.0 / 3), constant(3))) == "x ≈ 0.333·3 ≈ 1");
}

TEST_CASE(
    "arithmetic: where one exact number decides, the rounding of the others does not matter") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Expression rounded = constant(1.0 / 3), root = constant(std::sqrt(2.0), "√2");
  CHECK(text_of(product(rounded, constant(0))) == "x = 0.333·0 = 0");
  CHECK(text_of(quotient(constant(0), root)) == "x = 0 / √2 = 0 / 1.414 = 0");
  CHECK(text_of(quotient(constant(-infinity), root)) == "x = -inf / √2 = -inf / 1.414 = -inf");
  CHECK(text_of(sum({rounded, constant(-infinity)})) == "x = 0.333 - inf = -inf");
  CHECK(text_of(sum({rounded, constant(0)})) == "x ≈ 0.333 + 0 ≈ 0.333");
  CHECK(text_of(quotient(sum({rounded, constant(-1.0 / 3)}), root)).starts_with("x ≈ (0.333 "));
}

TEST_CASE("arithmetic: a result that the number type rounded does not equal its arithmetic") {
  Worked worked{.cells = {{"x", {}, "x"}}, .how = sum({constant(2048), constant(1)})};
  worked.result = 2048;
  CHECK(worked_text(worked, 3, {}) == "x ≈ 2048 + 1 ≈ 2048");
}

TEST_CASE("arithmetic: a long sum says how many terms are left out, not how many there are") {
  std::vector<Expression> terms;
  for (int i = 1; i <= 12; ++i) terms.push_back(constant(i));
  Worked worked = worked_of(sum(terms));
  worked.most_terms = 8;
  CHECK(worked_text(worked, 3, {.fit = Fit::Screen}) ==
        "x = 1 + 2 + 3 + 4 + 5 + 6 + 7 + … 4 more … + 12 = 78");
}

}  // namespace
}  // namespace attn
