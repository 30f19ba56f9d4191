// Sheets with two mistakes.
#include "support/two_mistakes.hpp"

#include <algorithm>
#include <stdexcept>

#include "attn/attend.hpp"
#include "support/diagnosis.hpp"

namespace attn::testing {
namespace {

/// The mistakes that can be made in causal self-attention, except slips, dropout and a single wide
/// head, after which no matrix has the right shape any more.
const WrongWays& candidates() {
  static const WrongWays all = [] {
    WrongWays ways = wrong_ways();
    ways.erase(std::remove_if(ways.begin(), ways.end(),
                              [](const WrongWay& way) {
                                const std::string code = way.code;
                                return way.problem != causal_problem || code == "dropout.on" ||
                                       code == "heads.single" || code.rfind("slip.", 0) == 0;
                              }),
               ways.end());
    return ways;
  }();
  return all;
}

using Ways = std::vector<const WrongWay*>;

Answers spoiled(const Trace& truth, const ProblemDraft& draft, Dice dice, const Ways& ways,
                const Handed& handed) {
  Spoiling spoiling{{draft}, dice, handed.steps};
  for (const WrongWay* way : ways) way->spoil(spoiling);
  return answers_of(truth, worked(spoiling.attempt), handed);
}

/// Whether two sheets have the same numbers in that step.
bool agree(const Answers& a, const Answers& b, const std::string& id) {
  const auto find = [&](const Answers& answers) {
    return std::find_if(answers.matrices.begin(), answers.matrices.end(),
                        [&](const Answer& answer) { return answer.id == id; });
  };
  const auto one = find(a), other = find(b);
  if (one == a.matrices.end() || other == b.matrices.end()) return true;
  return one->numbers == other->numbers;
}

bool is_named(const CheckReport& report, const std::string& code) {
  return std::any_of(report.steps.begin(), report.steps.end(), [&](const StepReport& step) {
    return !step.findings.empty() && says(step.findings.front(), code);
  });
}

/// Whether the first mistake alone makes that step wrong in itself, too: then two mistakes in it
/// are one wrong step.
bool is_wrong_alone(const Trace& truth, const Answers& one, const std::string& id) {
  const CheckReport report = check_answers(truth, one);
  return std::any_of(report.steps.begin(), report.steps.end(), [&](const StepReport& step) {
    return step.id == id && step.verdict == Verdict::Wrong;
  });
}

}  // namespace

std::optional<TwoNamed> two_mistakes(std::uint64_t seed, const Handed& handed) {
  Dice dice(seed);
  const WrongWay& first = dice.one_of(candidates());
  const WrongWay& second = dice.one_of(candidates());
  if (std::string(first.code) == second.code) return std::nullopt;
  const ProblemDraft draft = causal_problem(dice);
  const Trace truth = attend(make_problem(draft));
  const Answers one = spoiled(truth, draft, dice, {&first}, handed);
  const Answers other = spoiled(truth, draft, dice, {&second}, handed);
  Answers both;
  try {
    both = spoiled(truth, draft, dice, {&first, &second}, handed);
  } catch (const std::out_of_range&) {
    return std::nullopt;  // the second needs what the first took away
  }
  const auto at = first_visible(truth, one), then = first_visible(truth, other);
  if (!at || !then || *at == *then || first_visible(truth, both) != at) return std::nullopt;
  if (agree(both, one, *then) || !agree(both, one, *at)) return std::nullopt;
  if (is_wrong_alone(truth, one, *then)) return std::nullopt;

  const CheckReport report = check_answers(truth, both);
  TwoNamed named;
  named.right_place = report.first_wrong == at;
  named.both_named = is_named(report, first.code) && is_named(report, second.code);
  named.said = std::string(first.code) + " at " + *at + ", " + second.code + " at " + *then + ":";
  for (const StepReport& step : report.steps) {
    if (!step.findings.empty()) named.said += " " + step.id + "=" + step.findings.front().code;
  }
  return named;
}

}  // namespace attn::testing
