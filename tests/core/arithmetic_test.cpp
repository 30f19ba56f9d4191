// The arithmetic that people type.
#include "attn/arithmetic.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/compare.hpp"

using attn::arithmetic;

TEST_CASE("arithmetic: numbers, signs, products, powers, roots, e, per cent") {
  struct Row {
    const char* text;
    double number;
  };
  const Row rows[] = {{"0.5", 0.5},
                      {".5", 0.5},
                      {"-1.5e-2", -0.015},
                      {"−3", -3},
                      {"3/4", 0.75},
                      {" 0*0 + 1·1 × 2 ", 2},
                      {"2/√4", 1},
                      {"-1/√3", -1 / std::sqrt(3.0)},
                      {"√(9+16)", 5},
                      {"sqrt(2)^2", 2},
                      {"-2^2", -4},
                      {"2^-1", 0.5},
                      {"2**3", 8},
                      {"3²", 9},
                      {"e^.5/20.268", std::exp(0.5) / 20.268},
                      {"e^2.5", std::exp(2.5)},
                      {"exp(1/2)", std::exp(0.5)},
                      {"8.1%", 0.081},
                      {"1-2-3", -4},
                      {"12/3/2", 2},
                      {"2*(3+4)", 14},
                      {"-inf", -INFINITY},
                      {"∞", INFINITY}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const auto number = arithmetic(row.text);
    REQUIRE(number.has_value());
    CHECK(attn::testing::close(row.number, *number));
  }
}

TEST_CASE("arithmetic: what is none") {
  for (const char* text :
       {"",  "x", "1/0",  "1 2", "(1",  "1)",      "1/",   "*2", "√-1", "1e400", "e5",
        "e", "d", "1..2", "1,2", "nan", "inf-inf", "half", "2e", "1=1", "0.5x",  "1^x"}) {
    CAPTURE(text);
    CHECK(!arithmetic(text).has_value());
  }
  CHECK(!arithmetic(std::string(100000, '(')).has_value());
  CHECK(!arithmetic(std::string(100000, '-') + "1").has_value());
}
