// Which cells are worked out below the steps.
#include <doctest/doctest.h>

#include <cmath>

#include "attn/samples.hpp"
#include "render/story/step_grids.hpp"
#include "render/story/worked_cell.hpp"
#include "support/traces.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

bool tells(double x) { return std::isfinite(x) && x != 0.0 && x != 1.0; }

/// Whether any number of that matrix teaches something.
bool some_tell(const Tensor& t, const Cell& cell) {
  for (Index r = 0; r < t.rows(); ++r) {
    for (Index c = 0; c < t.cols(); ++c) {
      if (tells(t.at({cell.batch, cell.head, r, c}))) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("focus: a worked cell is not 0 and not 1 where the matrix has other numbers") {
  int steps = 0;
  for (const Sample& sample : samples()) {
    const Trace trace = trace_of(std::string(sample.text), true);
    const Focus focus = choose_focus(trace, {});
    for (const Step& step : trace.steps) {
      const bool shows_hidden = step.info().role == StepRole::MaskedScores || step.id == "mask";
      if (step.is_given() || shows_hidden) continue;
      const Cell cell = focus_cell(trace, step, focus);
      CAPTURE(sample.name);
      CAPTURE(step.id);
      CHECK((tells(step.value.at(cell)) || !some_tell(step.value, cell)));
      ++steps;
    }
  }
  CHECK(steps > 100);
}
