// Says where points are missing on a graded sheet, and why.
#include <algorithm>
#include <utility>

#include "attn/phrases.hpp"
#include "attn/teach/gradebook.hpp"

namespace attn {
namespace {

/// "scores: 2 of 6 blanks wrong, 1 empty (scale.missing)"; "" if the cells are not the reason.
std::string loss_of(const StepReport& step, double follow_through) {
  if (step.verdict == Verdict::Shape) return step.id + ": another shape";
  if (step.cells.empty()) return step.id + ": not a matrix";
  const auto count = [&](CellVerdict verdict) {
    return std::count(step.cells.begin(), step.cells.end(), verdict);
  };
  const auto blanks = std::ssize(step.cells) - count(CellVerdict::Given);
  const bool unearned = !step.unearned_for.empty() || follow_through < 1.0;
  const std::pair<std::ptrdiff_t, const char*> parts[] = {
      {count(CellVerdict::Wrong), "wrong"},
      {count(CellVerdict::Unreadable), "not a number"},
      {count(CellVerdict::Empty), "empty"},
      {unearned ? count(CellVerdict::Follows) : 0, "without full credit for following"}};
  std::vector<std::string> words;
  for (const auto& [cells, what] : parts) {
    if (cells == 0) continue;
    words.push_back(std::to_string(cells) +
                    (words.empty() ? " of " + counted(blanks, "blank") : "") + " " + what);
  }
  const std::string code = step.findings.empty() ? "" : " (" + step.findings.front().code + ")";
  return words.empty() ? "" : step.id + ": " + separated(words, ", ") + code;
}

}  // namespace

std::vector<std::string> losses_of(const Grade& grade) {
  std::vector<std::string> losses;
  for (const StepReport& step : grade.report.steps) {
    if (step.score < step.max_score) losses.push_back(loss_of(step, grade.follow_through));
  }
  if (grade.bug) {
    const std::pair<const char*, CellVerdict> parts[] = {{kBugParts[0], grade.bug->first_wrong},
                                                         {kBugParts[1], grade.bug->code}};
    for (const auto& [id, verdict] : parts) {
      if (verdict == CellVerdict::Right) continue;
      losses.push_back(std::string(id) +
                       (verdict == CellVerdict::Empty ? ": not answered" : ": another one"));
    }
  }
  std::erase(losses, "");
  return losses;
}

}  // namespace attn
