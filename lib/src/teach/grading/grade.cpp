// Grades one sheet: every step by its blanks.
#include <algorithm>

#include "attn/attend.hpp"
#include "attn/grading.hpp"
#include "teach/exercise/points.hpp"
#include "teach/grading/find_the_bug.hpp"
#include "teach/grading/restored.hpp"

namespace attn {

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
