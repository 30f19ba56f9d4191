// Routers with two experts that are nearly alike: the other choice is right, a third one is not.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "core/tensor/dtype.hpp"
#include "support/model_diagnosis.hpp"
#include "support/small_models.hpp"
#include "teach/check/search.hpp"

namespace attn::testing {
namespace {

/// A model in whose routers expert 2 is expert 1, but for `apart` of each weight.
ProblemDraft with_twins(std::uint64_t seed, double apart) {
  Dice dice(seed);
  ProblemDraft draft = gpt_oss_model(dice);
  for (auto& [name, weight] : draft.weights) {
    if (name.find("router") == name.npos) continue;
    const bool bias = name.ends_with("bias");
    std::vector<double>& numbers = weight.data;
    const std::size_t width = bias ? 1 : numbers.size() / 4;
    for (std::size_t i = 0; i < width; ++i)
      numbers[2 * width + i] = numbers[width + i] * (1.0 + apart);
  }
  return draft;
}

/// A dump of another program's run, in bfloat16.
Answers dump(const ProblemDraft& draft, const ModelDump& which) {
  Answers answers{.source = "dump.npz", .by_program = true};
  answers.dtype = Dtype::Bfloat16;
  const Trace run = attend(make_problem(draft));
  for (const Step& step : run.steps) {
    if (!which.holds(step.id, run)) continue;
    const Tensor narrow = rounded(step.value, Dtype::Bfloat16);
    answers.matrices.push_back(
        {.id = step.id, .shape = narrow.shape().sizes(), .numbers = narrow.data().copy()});
  }
  return answers;
}

bool names_tie(const CheckReport& report) {
  return std::any_of(report.steps.begin(), report.steps.end(), [](const StepReport& step) {
    return std::any_of(step.findings.begin(), step.findings.end(), [](const Finding& finding) {
      return finding.code == "equivalent.near_tie";
    });
  });
}

/// How many rows of the routers choose otherwise in two runs.
Index choices_apart(const Trace& one, const Trace& other) {
  Index rows = 0;
  for (const Step& step : one.steps) {
    if (!step.id.ends_with("router_weights")) continue;
    const Tensor& theirs = other.value(step.id);
    for (Index r = 0; r < theirs.rows(); ++r) {
      const auto a = step.value.row(0, 0, r), b = theirs.row(0, 0, r);
      rows += std::equal(a.begin(), a.end(), b.begin(),
                         [](double x, double y) { return (x == 0.0) == (y == 0.0); })
                  ? 0
                  : 1;
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("equivalent.near_tie: a right run that chooses the other of two experts is accepted") {
  Index ties = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const ProblemDraft draft = with_twins(seed, 1e-3), other = with_twins(seed, -1e-3);
    const Trace truth = attend(make_problem(draft));
    const Index apart = choices_apart(truth, attend(make_problem(other)));
    ties += apart;
    for (const ModelDump& which : model_dumps()) {
      const std::string steps = which.title;
      CAPTURE(seed);
      CAPTURE(steps);
      const CheckReport report = check_answers(truth, dump(other, which));
      CHECK(report.right);
      CHECK(names_tie(report) == (apart > 0));
    }
  }
  CHECK(ties > 12);
}

TEST_CASE("equivalent.near_tie: an expert whose score is far off is no tie") {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const ProblemDraft draft = with_twins(seed, 1e-3);
    ProblemDraft other = draft;
    for (auto& [name, weight] : other.weights) {
      if (name.find("router") != name.npos && name.ends_with("bias")) weight.data[3] += 4.0;
    }
    const Trace truth = attend(make_problem(draft));
    REQUIRE(choices_apart(truth, attend(make_problem(other))) > 0);
    for (const ModelDump& which : model_dumps()) {
      const std::string steps = which.title;
      CAPTURE(seed);
      CAPTURE(steps);
      // What is wrong is not looked for: that takes seconds, and the numbers alone decide.
      const auto report = check_answers(truth, dump(other, which), {}, nullptr, Search::None);
      CHECK_FALSE(report.right);
      CHECK_FALSE(names_tie(report));
    }
  }
}

}  // namespace attn::testing
