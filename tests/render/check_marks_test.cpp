// Where cells are wrong, in words.
#include "render/story/checks/check_marks.hpp"

#include <doctest/doctest.h>

#include <string>

#include "attn/check.hpp"
#include "attn/io/samples.hpp"
#include "support/traces.hpp"

using namespace attn;
using namespace attn::testing;

TEST_CASE("check marks: columns and rows are named in their order, whichever is wrong first") {
  const Trace trace = trace_of(std::string(samples()[0].text), false);
  const Step& step = trace.at("weights");
  const auto where = [&](std::initializer_list<std::size_t> wrong) {
    StepReport report;
    report.cells.assign(step.value.data().size(), CellVerdict::Right);
    for (const std::size_t i : wrong) report.cells[i] = CellVerdict::Wrong;
    return where_text(step, report, wrong_cells(step, report));
  };
  REQUIRE(step.value.cols() == 5);
  CHECK(where({2, 5, 12, 15}) == "the columns of \"the\", \"dreams\"");
  CHECK(where({0, 1, 11}) == "the rows of \"the\", \"dreams\"");
}
