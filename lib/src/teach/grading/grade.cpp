// Grades one sheet: every step by its blanks.
#include <algorithm>

#include "attn/attend.hpp"
#include "attn/grading.hpp"
#include "teach/grading/find_the_bug.hpp"
#include "teach/grading/restored.hpp"

namespace attn {
namespace {

/// What the blanks of a step are worth, as a share of its points.
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

/// Points in the place of cells.
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

}  // namespace

double Grade::percent() const {
  return report.max_score > 0.0 ? 100.0 * report.score / report.max_score : 0.0;
}

Trace computation_of(const Sheet& sheet) {
  const bool detail =
      std::any_of(sheet.steps.begin(), sheet.steps.end(), [](const SheetStep& each) {
        const StepInfo* info = find_step_info(each.id);
        return info != nullptr && info->appears.setting == std::string_view("detail");
      });
  return attend(make_problem(sheet.problem), detail ? opened_softmax() : Recipe());
}

Grade grade_sheet(const Sheet& original, const Submission& submission,
                  const GradeOptions& options) {
  Grade grade{.exercise = original.exercise,
              .student = original.student,
              .variant = original.variant,
              .truth = computation_of(original)};
  grade.answers = restored(grade.truth, original, submission.answers, grade.flags);
  if (original.bug) {
    grade_bug(original, submission.bug.value_or(BugAnswer{}), grade);
    return grade;
  }
  CheckOptions check = options.check;
  if (!check.tolerance) check.tolerance = Tolerance{.absolute = original.accept_within};
  grade.report = check_answers(grade.truth, grade.answers, check);
  add_points(original, options.follow_through, grade.report);
  return grade;
}

}  // namespace attn
