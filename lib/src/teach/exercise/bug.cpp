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

namespace {

/// What attn check says of the first wrong step, if there is one.
std::optional<StepReport> first_wrong_step(const SheetModel& paper, const Sheet& sheet,
                                           const Suspects& suspects) {
  Answers worked = answers_of(sheet);
  for (Answer& each : worked.matrices) each.states.clear();  // as if somebody had written them
  CheckOptions options;
  options.tolerance = Tolerance{.absolute = sheet.accept_within};
  CheckReport report =
      check_answers(paper.truth, worked, options, &suspects.all, Search::FirstWrong);
  for (StepReport& step : report.steps) {
    if (step.id == report.first_wrong) return std::move(step);
  }
  return std::nullopt;
}

}  // namespace

double bug_score(const BugAnswer& answer, const BugAnswer& right) {
  return (answer.first_wrong == right.first_wrong ? 0.5 : 0.0) +
         (answer.code == right.code ? 0.5 : 0.0);
}

std::optional<BugAnswer> find_bug(const SheetModel& paper, const Sheet& sheet,
                                  const Suspects& suspects) {
  const std::optional<StepReport> step = first_wrong_step(paper, sheet, suspects);
  const bool clear = step && step->findings.size() == 1 && step->findings.front().same_as.empty() &&
                     step->findings.front().confidence == Confidence::Certain;
  return clear ? std::optional(BugAnswer{step->id, step->findings.front().code}) : std::nullopt;
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

namespace {

/// The sheet with a problem that whoever knows attn can make of what is printed: the scores as Q,
/// an identity as K, and the scale of Q and K as wide as V.
Sheet with_scores_as_queries(Sheet sheet) {
  const auto scores = std::find_if(sheet.steps.begin(), sheet.steps.end(),
                                   [](const auto& each) { return each.id == "scores"; });
  ProblemDraft& problem = sheet.problem;
  if (scores == sheet.steps.end() || !problem.v) return sheet;
  problem.q = Array{scores->shape, scores->numbers};
  const Index keys = scores->shape.back();
  problem.k = *problem.q;
  problem.k->shape[scores->shape.size() - 2] = keys;
  const Index matrices = std::ssize(scores->numbers) / (keys * scores->shape.end()[-2]);
  problem.k->data.assign(static_cast<std::size_t>(matrices * keys * keys), 0.0);
  for (Index i = 0; i < matrices * keys; ++i)
    problem.k->data[static_cast<std::size_t>(i * keys + i % keys)] = 1.0;
  const double d_k = static_cast<double>(problem.v->shape.back());
  problem.scale = {ScaleRule::Kind::Number, 1.0 / std::sqrt(d_k)};
  return sheet;
}

/// The share of the points for what attn check says first about this problem and the printed
/// matrices; 0 if the problem cannot be computed.
double found_by_attn(const Sheet& sheet, const BugAnswer& right) {
  try {
    const SheetModel paper(sheet);
    const auto step = first_wrong_step(paper, sheet, Suspects(paper.truth));
    if (!step) return 0.0;
    BugAnswer answer{.first_wrong = step->id, .code = {}};
    if (!step->findings.empty()) answer.code = step->findings.front().code;
    return bug_score(answer, right);
  } catch (const Error&) {
    return 0.0;
  }
}

}  // namespace

double solved_by_attn(const Sheet& sheet, const Sheet& key) {
  if (sheet.inverse) return 0.0;  // attn does not solve equations
  if (sheet.bug)
    return std::max(found_by_attn(sheet, *key.bug),
                    found_by_attn(with_scores_as_queries(sheet), *key.bug));
  const Sheet filled = filled_in(sheet, SheetModel(sheet).numbers);
  return grade_sheet(key, {answers_of(filled), std::nullopt}).percent() / 100.0;
}

}  // namespace attn
