// Numbers inside arithmetic: enough digits that what is written is true.

#include "render/writers/arithmetic.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "render/terminal/number.hpp"

namespace attn {
namespace {

TEST_CASE("arithmetic: a number has at least three decimals, and all if two more say it exactly") {
  struct Row {
    double value;
    int precision;
    const char* text;
  };
  for (const Row& row :
       {Row{2.5, 0, "2.5"}, Row{1.0 / 3, 0, "0.333"}, Row{1.0 / 3, 4, "0.3333"},
        Row{0.0625, 3, "0.0625"}, Row{0.0625, 0, "0.0625"}, Row{0.03125, 3, "0.03125"},
        Row{0.015625, 3, "0.016"}, Row{0.015625, 4, "0.015625"}, Row{0.1 + 0.2, 3, "0.300"},
        Row{0.1, 12, "0.1"}, Row{3.0, 17, "3"}, Row{1e-5, 3, "1e-05"}, Row{0.0, 0, "0"},
        Row{-0.0, 3, "0"}}) {
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
  CHECK(arithmetic_stages(lost, 1, 0) == std::vector<Pieces>{{"1", "- 1000000000"}});
}

TEST_CASE("arithmetic: a long sum tells how many terms are left out, not how many there are") {
  std::vector<Expression> terms;
  for (int i = 1; i <= 12; ++i) terms.push_back(constant(i));
  CHECK(
      arithmetic_stages(sum(terms), 3, 8) ==
      std::vector<Pieces>{{"1", "+ 2", "+ 3", "+ 4", "+ 5", "+ 6", "+ 7", "+ … 4 more …", "+ 12"}});
}

}  // namespace
}  // namespace attn
