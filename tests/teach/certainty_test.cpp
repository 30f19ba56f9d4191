// What was once named with certainty, and wrongly.
// The report tells two such mistakes apart, or both are listed.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "support/diagnosis.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

const Handed kAll{"all steps", {}, false};
const Handed kShown{"without capped scores",
                    {"scores", "scaled_scores", "masked_scores", "weights", "output"},
                    false};
const Handed kWeights{"weights output", {"weights", "output"}, false};
const Handed kOutput{"output", {"output"}, false};

/// The first finding of the first wrong step.
Finding first_finding(const ProblemDraft& right, const Attempt& attempt, const Handed& handed) {
  const Trace truth = attend(make_problem(right));
  const CheckReport report = check_answers(truth, answers_of(truth, worked(attempt), handed), {});
  for (const StepReport& step : report.steps) {
    if (step.id != report.first_wrong) continue;
    for (const Finding& finding : step.findings) {
      if (!finding.code.starts_with("equivalent.")) return finding;
    }
  }
  return {};
}

}  // namespace

TEST_CASE("a fill that hides well shows in rows without a visible key: mask.empty_rows") {
  for (const double fill : {-30.0, -1e4, -65504.0, -1e9, -3.4028234663852886e38}) {
    Dice dice(7);
    const ProblemDraft draft = blind_problem(dice);
    Attempt attempt{draft};
    attempt.draft.fill = fill;
    for (const Handed& handed : {kAll, kWeights, kOutput}) {
      CAPTURE(fill);
      CAPTURE(handed.title);
      CHECK(first_finding(draft, attempt, handed).code == "mask.empty_rows");
    }
  }
}

TEST_CASE("a softcap after the mask is named where nobody shows capped scores") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Dice dice(seed);
    const ProblemDraft draft = capped_problem(dice);
    Attempt attempt{draft};
    attempt.habits.hide = [](const Bench& bench, const Block& scores, const Block& mask) {
      Block hidden = right_hide(bench, scores, mask);
      const double cap = *bench.draft.softcap;
      for (double& x : hidden.data) x = std::isinf(x) ? -cap : x;
      return hidden;
    };
    CAPTURE(seed);
    CHECK(first_finding(draft, attempt, kShown).code == "softcap.after_mask");
  }
}

TEST_CASE("a fill of −10,000 beside large scores is a weak fill, whatever else it looks like") {
  Dice dice(1);
  const ProblemDraft draft = huge_problem(dice);
  Attempt attempt{draft};
  attempt.habits.hide = [](const Bench&, const Block& scores, const Block& mask) {
    return like(scores, [&](Index b, Index h, Index i, Index j) {
      return mask.at(b, h, i, j) == 0 ? -1e4 : scores.at(b, h, i, j);
    });
  };
  CHECK(says(first_finding(draft, attempt, kWeights), "mask.weak_fill"));
}

TEST_CASE("the default scale comes before other roots of the same size, which are listed") {
  Dice dice(3);
  ProblemDraft draft = square_keys_problem(dice);
  draft.scale = {ScaleRule::Kind::Number, 0.25};
  Attempt attempt{draft};
  attempt.draft.scale.number = 0.5;
  for (const Handed& handed : {kAll, kWeights, kOutput}) {
    const Finding finding = first_finding(draft, attempt, handed);
    CHECK(finding.code == "scale.default");
    CHECK(says(finding, "scale.tokens"));
    CHECK(finding.confidence == Confidence::Likely);
  }
}

TEST_CASE("a number that ends early, or whole numbers, are not rounding") {
  Dice dice(2);
  const ProblemDraft draft = causal_problem(dice);
  const Trace truth = attend(make_problem(draft));
  const Handed rounded{"3 decimals", {"scaled_scores"}, true};
  Answers lone = answers_of(truth, worked({draft}), rounded), whole = lone;
  lone.matrices[0].numbers[0] = std::round(lone.matrices[0].numbers[0] * 10) / 10 + 0.3;
  for (double& x : whole.matrices[0].numbers) x = std::round(x);
  for (const Answers& answers : {lone, whole}) {
    const CheckReport report = check_answers(truth, answers, {});
    REQUIRE(report.steps.size() == 1);
    for (const Finding& finding : report.steps[0].findings)
      CHECK(finding.code != "slip.rounded_early");
  }
}
