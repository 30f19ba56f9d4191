// Points in place of cells.
#include "teach/exercise/points.hpp"

#include <algorithm>

namespace attn {
namespace {

/// What the blanks of a step earn, as a share of its points.
double earned(const SheetStep& asked, const StepReport& step, double follow_through) {
  double blanks = 0.0, good = 0.0;
  for (std::size_t i = 0; i < asked.blank.size(); ++i) {
    if (asked.blank[i] == 0) continue;
    blanks += 1.0;
    if (i >= step.cells.size()) continue;  // another shape
    if (step.cells[i] == CellVerdict::Right) good += 1.0;
    if (step.cells[i] == CellVerdict::Follows) good += follow_through;
  }
  return good / blanks;
}

}  // namespace

void add_points(const Sheet& sheet, double follow_through, CheckReport& report) {
  report.score = report.max_score = 0.0;
  for (StepReport& step : report.steps) {
    const auto asked = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                    [&](const SheetStep& each) { return each.id == step.id; });
    const bool has_blanks =
        std::find(asked->blank.begin(), asked->blank.end(), 1) != asked->blank.end();
    step.max_score = has_blanks ? asked->points : 0.0;
    step.score = has_blanks ? asked->points * earned(*asked, step, follow_through) : 0.0;
    report.score += step.score;
    report.max_score += step.max_score;
  }
}

}  // namespace attn
