// "Find the bug": a worked sheet with one mistake built in.
#include "teach/exercise/bug.hpp"

#include <algorithm>
#include <cmath>

#include "attn/teach/exercise.hpp"

namespace attn {

std::optional<BugAnswer> find_bug(const SheetModel& paper, const Sheet& sheet,
                                  const Suspects& suspects) {
  Answers worked = answers_of(sheet);
  for (Answer& each : worked.matrices) each.states.clear();  // as if somebody had written them
  CheckOptions options;
  options.tolerance = Tolerance{.absolute = sheet.accept_within};
  const CheckReport report =
      check_answers(paper.truth, worked, options, &suspects.all, Search::FirstWrong);
  for (const StepReport& step : report.steps) {
    if (step.id != report.first_wrong) continue;
    const bool clear = step.findings.size() == 1 && step.findings.front().same_as.empty() &&
                       step.findings.front().confidence == Confidence::Certain;
    if (clear) return BugAnswer{step.id, step.findings.front().code};
  }
  return std::nullopt;
}

std::optional<Sheet> with_bug(Sheet sheet, const SheetModel& paper, const Candidate& mistake,
                              const Suspects& suspects) {
  const std::optional<Cells> cells = worked(paper, mistake.change);
  if (!cells) return std::nullopt;
  // the first number that is wrong must be clearly wrong
  std::size_t at = 0;
  while (at < cells->size() && !paper.clearly_differ((*cells)[at], paper.numbers[at])) ++at;
  const auto next = std::upper_bound(paper.begin.begin(), paper.begin.end(), at);
  if (next == paper.begin.end()) return std::nullopt;
  const auto step = static_cast<std::size_t>(next - paper.begin.begin()) - 1;
  for (std::size_t i = 0; i < paper.begin[step]; ++i) {
    if (std::abs((*cells)[i] - paper.numbers[i]) > paper.tolerance) return std::nullopt;
  }
  sheet = filled_in(std::move(sheet), *cells);
  for (SheetStep& each : sheet.steps) each.blank.assign(each.numbers.size(), 0);
  const std::optional<BugAnswer> found = find_bug(paper, sheet, suspects);
  const bool right =
      found && found->code == mistake.row->words.code && found->first_wrong == sheet.steps[step].id;
  return right ? std::optional(std::move(sheet)) : std::nullopt;
}

}  // namespace attn
