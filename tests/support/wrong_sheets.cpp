// Makes wrong sheets and finds where they differ from the truth.
#include "support/wrong_sheets.hpp"

#include <algorithm>
#include <cmath>

#include "attn/gradient.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn::testing {
namespace {

/// The most by which a right number may differ: 0.01, or 1e-5 of the largest finite one.
double allowance(const Step& step, bool by_program) {
  if (!by_program) return 0.01;
  double largest = 0;
  for (const double x : step.value.data()) {
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  }
  return 1e-5 * largest;
}

/// −10⁹ in place of −∞ makes no difference.
bool is_far(double right, double found, double allowed) {
  if (std::isnan(right) || std::isnan(found)) return std::isnan(right) != std::isnan(found);
  if (std::isinf(right) && right < 0 && found <= -1e4) return false;
  if (std::isinf(right) || std::isinf(found)) return right != found;
  return std::abs(right - found) > allowed * (1 + 1e-9);
}

bool differs(const Trace& truth, const Answer& answer, bool by_program, double times) {
  const Step& step = truth.at(answer.id);
  if (step.value.shape().sizes() != answer.shape) return true;
  const double allowed = times * allowance(step, by_program);
  const auto& right = step.value.data();
  for (std::size_t n = 0; n < answer.numbers.size(); ++n) {
    if (is_far(right[n], answer.numbers[n], allowed)) return true;
  }
  return false;
}

}  // namespace

const std::vector<Handed>& all_handed() {
  static const std::vector<Handed> all = {
      {"all steps, exact", {}, false},
      {"all steps, 3 decimals", {}, true},
      {"scores weights output, exact", {"scores", "weights", "output"}, false},
      {"scores weights output, 3 decimals", {"scores", "weights", "output"}, true},
      {"weights output, exact", {"weights", "output"}, false},
      {"weights output, 3 decimals", {"weights", "output"}, true},
  };
  return all;
}

Sample sample_of(const WrongWay& way, std::uint64_t seed, const Handed& handed) {
  Dice dice(seed);
  const ProblemDraft draft = way.problem(dice);
  Spoiling spoiling{{draft}, dice, handed.steps};
  way.spoil(spoiling);
  return {draft, worked(spoiling.attempt)};
}

Trace truth_for(const WrongWay& way, const ProblemDraft& draft) {
  const Problem problem = make_problem(draft);
  if (!is_made_backwards(way.code)) return attend(problem);
  return attend_and_back(problem, {}, {.upstream = upstream_of(draft)});
}

Answers answers_of(const Trace& truth, const Steps& steps, const Handed& handed) {
  Answers answers;
  answers.source = "answers.json";
  answers.by_program = !handed.rounded;
  for (const Step& step : truth.steps) {
    const auto found = steps.find(step.id);
    const bool wanted =
        handed.steps.empty() || std::count(handed.steps.begin(), handed.steps.end(), step.id) > 0;
    if (found == steps.end() || !wanted) continue;
    Answer answer{step.id, found->second.shape, found->second.data, {}, {}};
    if (handed.rounded) {
      std::transform(answer.numbers.begin(), answer.numbers.end(), answer.numbers.begin(),
                     [](double x) { return std::isfinite(x) ? std::round(x * 1000) / 1000 : x; });
    }
    answers.matrices.push_back(answer);
  }
  return answers;
}

std::optional<std::string> first_visible(const Trace& truth, const Answers& answers, double times) {
  for (const Answer& answer : answers.matrices) {
    if (differs(truth, answer, answers.by_program, times)) return answer.id;
  }
  return std::nullopt;
}

}  // namespace attn::testing
