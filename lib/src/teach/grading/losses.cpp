// Says where points are missing on a graded sheet, and why.
#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/gradebook.hpp"

namespace attn {
namespace {

/// "scores: 2 of 6 blanks wrong, 1 empty (scale.missing)"; "" if the cells are not the reason.
std::string loss_of(const StepReport& step, double follow_through) {
  if (step.verdict == Verdict::Shape) return translated("{step}: another shape", step.id);
  if (step.cells.empty()) return translated("{step}: not a matrix", step.id);
  const auto count = [&](CellVerdict verdict) {
    return std::count(step.cells.begin(), step.cells.end(), verdict);
  };
  const auto blanks = std::ssize(step.cells) - count(CellVerdict::Given);
  const bool unearned = !step.unearned_for.empty() || follow_through < 1.0;
  const std::pair<std::ptrdiff_t, const char*> parts[] = {
      {count(CellVerdict::Wrong), in_catalogue("wrong")},
      {count(CellVerdict::Unreadable), in_catalogue("not a number")},
      {count(CellVerdict::Empty), in_catalogue("empty")},
      {unearned ? count(CellVerdict::Follows) : 0,
       in_catalogue("without full credit for following")}};
  std::vector<std::string> words;
  for (const auto& [cells, what] : parts) {
    if (cells == 0) continue;
    words.push_back(words.empty() ? translated("{n} of {blanks} {what}", cells,
                                               translated_count(blanks, "blank"), translated(what))
                                  : translated("{n} {what}", cells, translated(what)));
  }
  const std::string code = step.findings.empty() ? "" : step.findings.front().code;
  return words.empty()
             ? ""
             : with_remark(translated("{step}: {text}", step.id, comma_joined(words)), code);
}

/// "bug.code: another one"; "" if it is right.
std::string loss_of(const StepReport& part, const BugReport& bug) {
  if (part.verdict == Verdict::Right) return "";
  if (!bug.no_step.empty() && part.id == kBugParts[0])
    return translated("{step}: \"{word}\" is no step of the sheet", part.id, bug.no_step);
  return translated(part.verdict == Verdict::Empty ? "{step}: not answered" : "{step}: another one",
                    part.id);
}

}  // namespace

std::vector<std::string> losses_of(const Grade& grade) {
  std::vector<std::string> losses;
  for (const StepReport& step : grade.report.steps) {
    if (step.score < step.max_score)
      losses.push_back(grade.bug ? loss_of(step, *grade.bug) : loss_of(step, grade.follow_through));
  }
  std::erase(losses, "");
  return losses;
}

}  // namespace attn
