// The simulated student: right where nothing is spoiled, wrong where something is.
#include "support/wrong_attention.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "attn/attend.hpp"
#include "support/compare.hpp"
#include "support/compare_steps.hpp"
#include "support/pace.hpp"
#include "support/wrong_sheets.hpp"

namespace attn::testing {
namespace {

const Handed kAll = all_handed().front();

std::string name_of_way(const WrongWay& way) { return std::string(way.code) + " " + way.variant; }

/// Whether the outputs agree to 1e-9.
bool same_output(const Sample& sample, bool columns) {
  const Block right = block_of(oracle(sample.draft, false).at("output"), true);
  const Block found = block_of(sample.steps.at("output"), true);
  bool same = true;
  for_each(right.batch, 1, right.rows, right.cols, [&](Index b, Index, Index i, Index j) {
    const double x = columns ? found.at(b, 0, j, i) : found.at(b, 0, i, j);
    if (!close(right.at(b, 0, i, j), x, 1e-9)) same = false;
  });
  return same;
}

}  // namespace

TEST_CASE("a student with right habits gets what attend gets, step by step" *
          doctest::test_suite("long")) {
  const std::vector<SmallProblem> kinds = {
      causal_problem,      unmasked_problem,     wide_heads_problem,   square_keys_problem,
      cross_problem,       equal_cross_problem,  aligned_problem,      grouped_problem,
      rope_problem,        sinusoidal_problem,   window_problem,       padded_problem,
      slow_rope_problem,   alibi_problem,        three_slopes_problem, capped_problem,
      batch_problem,       batch_padded_problem, no_w_o_problem,       partial_rope_problem,
      cached_rope_problem, far_rope_problem};
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CAPTURE(kind);
      CAPTURE(seed);
      Dice dice(seed);
      const ProblemDraft draft = kinds[kind](dice);
      CHECK(first_wrong_step(worked({draft}), attend(make_problem(draft))) == "");
    }
  }
}

TEST_CASE("every simulated mistake changes a number that is handed in" *
          doctest::test_suite("long")) {
  std::size_t count = 0;
  for (const WrongWay& way : wrong_ways()) {
    if (++count % kEach != 0) continue;
    CAPTURE(name_of_way(way));
    int visible = 0;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const Sample sample = sample_of(way, seed, kAll);
      const Trace truth = truth_for(way, sample.draft);
      if (first_visible(truth, answers_of(truth, sample.steps, kAll))) ++visible;
    }
    CHECK(visible >= 1);
  }
}

TEST_CASE("every other route leads to the same output") {
  for (const WrongWay& way : other_roads()) {
    CAPTURE(name_of_way(way));
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      CHECK(same_output(sample_of(way, seed, kAll), std::string(way.code) == "tokens in columns"));
    }
  }
}

TEST_CASE("the same seed gives a wrong sheet the same embeddings and as many steps" *
          doctest::test_suite("long")) {
  for (const WrongWay& way : wrong_ways()) {
    CAPTURE(name_of_way(way));
    const Sample first = sample_of(way, 3, kAll), second = sample_of(way, 3, kAll);
    CHECK(first.draft.embeddings->data == second.draft.embeddings->data);
    CHECK(first.steps.size() == second.steps.size());
  }
}

}  // namespace attn::testing
