// Grades a find-the-bug sheet.
#include "teach/grading/find_the_bug.hpp"

#include "attn/exercise.hpp"
#include "attn/mistakes.hpp"
#include "attn/tool/phrases.hpp"

namespace attn {
namespace {

CellVerdict verdict(const std::string& answer, const std::optional<std::string>& right) {
  if (answer.empty()) return CellVerdict::Empty;
  return answer == right ? CellVerdict::Right : CellVerdict::Wrong;
}

/// The id of a step, which may be written as its symbol.
std::string step_named(const Trace& truth, const std::optional<std::string>& name) {
  const std::string word(trimmed(name.value_or("")));
  if (const Step* step = truth.find_named(word)) return step->id;
  return lowered(word);
}

}  // namespace

void grade_bug(const Sheet& original, const BugAnswer& answer, Grade& grade) {
  const BugAnswer right =
      original.bug->code ? *original.bug : solved_sheet(original).bug.value_or(BugAnswer{});
  const BugReport bug{verdict(step_named(grade.truth, answer.first_wrong), right.first_wrong),
                      verdict(lowered(trimmed(answer.code.value_or(""))), right.code)};
  CheckReport& report = grade.report;
  if (const std::string code(trimmed(answer.code.value_or("")));
      !code.empty() && find_mistake(lowered(code)) == nullptr)
    report.notes.push_back("\"" + code + "\" is not a code: attn exercise rules lists them");
  report.tolerance = {.absolute = original.accept_within};
  report.max_score = original.bug_points;
  report.right = report.complete = true;
  for (const CellVerdict part : {bug.first_wrong, bug.code}) {
    report.score += part == CellVerdict::Right ? original.bug_points / 2.0 : 0.0;
    report.right = report.right && part != CellVerdict::Wrong;
    report.complete = report.complete && part != CellVerdict::Empty;
  }
  grade.bug = bug;
}

}  // namespace attn
