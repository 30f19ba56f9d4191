// Works a sheet with a mistake, and keeps it if the search names that one, and where it begins.
#include "teach/exercise/bug.hpp"

#include <algorithm>
#include <cmath>

#include "attn/error.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/grading.hpp"
#include "teach/exercise/inverse_operands.hpp"
#include "teach/exercise/points.hpp"

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

std::optional<BuggySheet> with_bug(Sheet sheet, const SheetModel& paper, const Candidate& mistake,
                                   const Suspects& suspects) {
  const std::optional<Cells> cells = worked(paper, mistake.change);
  if (!cells) return std::nullopt;
  // the first number that is wrong must be clearly wrong
  std::size_t at = 0;
  while (at < cells->size() && !paper.clearly_differ((*cells)[at], paper.numbers[at])) ++at;
  const auto next = std::upper_bound(paper.begin.begin(), paper.begin.end(), at);
  if (next == paper.begin.end()) return std::nullopt;
  const auto step = static_cast<std::size_t>(next - paper.begin.begin()) - 1;
  // what it is made from must be on the sheet, but nothing that attn computes it from
  if (used_on_sheet(paper.truth, sheet, *paper.steps[step]).empty() ||
      !paper.steps[step]->info().is_pairwise())
    return std::nullopt;
  for (std::size_t i = 0; i < paper.begin[step]; ++i) {
    if (std::abs((*cells)[i] - paper.numbers[i]) > paper.tolerance) return std::nullopt;
  }
  sheet = filled_in(std::move(sheet), *cells);
  for (SheetStep& each : sheet.steps) each.blank.assign(each.numbers.size(), 0);
  const std::optional<BugAnswer> found = find_bug(paper, sheet, suspects);
  const bool right =
      found && found->code == mistake.row->words.code && found->first_wrong == sheet.steps[step].id;
  if (!right) return std::nullopt;
  return BuggySheet{std::move(sheet), *found->first_wrong};
}

Sheet handed_out(Sheet sheet) {
  if (sheet.inverse) sheet.problem = without_operands(sheet);
  if (!sheet.bug) return sheet;
  sheet.problem.q.reset();
  sheet.problem.k.reset();
  return sheet;
}

Trace layout_of(const Sheet& sheet) {
  Sheet whole = sheet;
  ProblemDraft& problem = whole.problem;
  if (sheet.bug && problem.v && !problem.q) {
    problem.k = Array{problem.v->shape, std::vector<double>(problem.v->data.size(), 0.0)};
    problem.q = problem.k;
    const auto scores = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                     [](const auto& each) { return each.id == "scores"; });
    if (scores != sheet.steps.end() && scores->shape.size() > 1) {
      std::vector<Index>& shape = problem.q->shape;
      shape[shape.size() - 2] = scores->shape[scores->shape.size() - 2];
      Index numbers = 1;
      for (const Index size : shape) numbers *= size;
      problem.q->data.assign(static_cast<std::size_t>(numbers), 0.0);
    }
  }
  return computation_of(whole);
}

double solved_by_attn(const Sheet& sheet, const Sheet& key) {
  if (sheet.inverse) return 0.0;  // attn does not solve equations
  try {
    if (!sheet.bug) {
      const Sheet filled = filled_in(sheet, SheetModel(sheet).numbers);
      return grade_sheet(key, {answers_of(filled), std::nullopt}).percent() / 100.0;
    }
    const Sheet solved = solved_sheet(sheet);
    return (solved.bug->first_wrong == key.bug->first_wrong ? 0.5 : 0.0) +
           (solved.bug->code == key.bug->code ? 0.5 : 0.0);
  } catch (const Error&) {
    return 0.0;  // its problem cannot be computed
  }
}

}  // namespace attn
