// Honest work with three decimals, and right answers by other routes.
#include "support/honest_sheets.hpp"

#include <cmath>

#include "attn/attend.hpp"
#include "support/diagnosis.hpp"

namespace attn::testing {
namespace {

double rounded(double x) { return std::isfinite(x) ? std::round(x * 1000) / 1000 : x; }

void round_all(Block& block) {
  for (double& x : block.data) x = rounded(x);
}

/// e^x, the sums and √d_k are rounded, too.
void work_honestly(Spoiling& spoiling) {
  ProblemDraft& draft = spoiling.draft();
  const auto d_k = static_cast<double>(facts_of(draft).d_k);
  draft.scale = {ScaleRule::Kind::Number, 1 / rounded(std::sqrt(d_k))};
  spoiling.habits().touch = [](const std::string&, Block& block) { round_all(block); };
  spoiling.habits().softmax = [](const Block& masked, const Block&) {
    Block e = like(masked, [&](Index b, Index h, Index i, Index j) {
      return std::exp(masked.at(b, h, i, j));
    });
    round_all(e);
    Block sums = row_sum(e);
    round_all(sums);
    return like(e, [&](Index b, Index h, Index i, Index j) {
      return e.at(b, h, i, j) / sums.at(b, h, i, 0);
    });
  };
}

}  // namespace

std::string accusation(const Trace& truth, const Answers& answers) {
  const CheckReport report = check_answers(truth, answers);
  if (!report.right) return diagnosed(report, "").said;
  for (const StepReport& step : report.steps) {
    for (const Finding& finding : step.findings) {
      if (finding.code.rfind("equivalent.", 0) != 0) return step.id + ": " + finding.code;
    }
  }
  return "";
}

std::string accusation(std::uint64_t seed) {
  static const std::vector<SmallProblem> kinds = {causal_problem,  unmasked_problem, cross_problem,
                                                  grouped_problem, window_problem,   padded_problem,
                                                  capped_problem,  rope_problem};
  const WrongWay way{"", "", kinds[seed % kinds.size()], work_honestly};
  return accusation(way, seed, all_handed()[1]);
}

std::string accusation(const WrongWay& road, std::uint64_t seed, const Handed& handed) {
  const Sample sample = sample_of(road, seed, handed);
  const Trace truth = attend(make_problem(sample.draft));
  return accusation(truth, answers_of(truth, sample.steps, handed));
}

}  // namespace attn::testing
