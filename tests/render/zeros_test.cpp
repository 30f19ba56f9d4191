// The kinds of nothing, side by side in one matrix as it is written.
#include <doctest/doctest.h>

#include <limits>

#include "attn/writers.hpp"
#include "render/story/steps/opening.hpp"
#include "support/infinity.hpp"
#include "support/traces.hpp"

using namespace attn;
using attn::testing::kNan;

namespace {

Document all_kinds() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Grid grid;
  grid.row_labels = {"a"};
  grid.col_labels = {"hs", "hw", "zero", "minus", "tiny", "below", "nan", "one"};
  grid.numbers = {-kInf, 0.0, 0.0, -0.0, 1e-5, -1e-5, kNan, 1.0};
  grid.kinds.assign(8, CellKind::Number);
  grid.kinds[0] = CellKind::HiddenScore;
  grid.kinds[1] = CellKind::HiddenWeight;
  return {{grid}};
}

}  // namespace

TEST_CASE("zeros: hidden scores, hidden weights, zeros and tiny numbers look different") {
  CHECK(write_text(all_kinds()) ==
        "           hs      hw    zero   minus    tiny   below     nan     one\n"
        "    a    -inf       ·   0.000   0.000   <.001  >-.001     nan   1.000\n");
  CHECK(write_text(all_kinds(), {.ascii = true}) ==
        "           hs      hw    zero   minus    tiny   below     nan     one\n"
        "    a    -inf       .   0.000   0.000   <.001  >-.001     nan   1.000\n");
}

TEST_CASE("zeros: columns are as wide as their widest entry, however many nan come first") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Grid grid;
  grid.row_labels = {"a", "b"};
  grid.col_labels = {"x", "y"};
  grid.numbers = {kNan, kNan, kNan, -kInf};
  grid.kinds.assign(4, CellKind::Number);
  Document document{{grid}};
  document.precision = 0;
  CHECK(write_text(document) ==
        "          x     y\n"
        "    a   nan   nan\n"
        "    b   nan  -inf\n");
}

TEST_CASE("zeros: the last line of a page says how numbers are rounded") {
  const Trace trace = attn::testing::sample_trace(1);
  CHECK(rounding_footer(trace, 0).text.starts_with(
      "Rounded to whole numbers (<1 means more than 0), "));
  CHECK(rounding_footer(trace, 1).text.starts_with("Rounded to 1 decimal, "));
}
