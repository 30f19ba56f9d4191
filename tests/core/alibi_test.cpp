// ALiBi (Press et al. 2022): −slope · distance, added to the scores.

#include <doctest/doctest.h>

#include <vector>

#include "attn/attend.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/infinity.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

ProblemDraft alibi(Index heads, Index n_queries, Index n_keys) {
  Dice dice(21);
  ProblemDraft draft;
  draft.q = dice.numbers({n_queries, heads * 2});
  draft.k = dice.numbers({n_keys, heads * 2});
  draft.v = dice.numbers({n_keys, heads * 2});
  draft.heads = heads;
  draft.positions.kind = PositionKind::Alibi;
  return draft;
}

}  // namespace

TEST_CASE("alibi: the slopes are the published ones, whether or not heads is a power of two") {
  const std::vector<std::vector<double>> published = {
      {1.0 / 256},
      {1.0 / 16, 1.0 / 256},
      {1.0 / 16, 1.0 / 256, 1.0 / 4},
      {1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8},
      {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128, 1.0 / 256},
      {1.0 / 2, 1.0 / 4, 1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64, 1.0 / 128, 1.0 / 256,
       0.7071067811865476, 0.35355339059327384, 0.17677669529663692, 0.08838834764831849},
  };
  for (const std::vector<double>& slopes : published) {
    const auto heads = static_cast<Index>(slopes.size());
    CAPTURE(heads);
    const Tensor bias = step_of(alibi(heads, 2, 2), "bias");
    for (Index h = 0; h < heads; ++h) {
      CHECK(close(-slopes[static_cast<std::size_t>(h)], bias.at({0, h, 0, 1})));
      CHECK(close(-slopes[static_cast<std::size_t>(h)], bias.at({0, h, 1, 0})));
      CHECK(bias.at({0, h, 1, 1}) == 0);
    }
  }
}

TEST_CASE("alibi: without heads there is one slope, and given slopes replace the usual ones") {
  ProblemDraft draft = alibi(1, 1, 4);
  draft.heads.reset();
  CHECK(step_of(draft, "bias").data() ==
        std::vector<double>{0, -1.0 / 256, -2.0 / 256, -3.0 / 256});
  draft.positions.slopes = {0.5};
  CHECK(step_of(draft, "bias").data() == std::vector<double>{0, -0.5, -1, -1.5});
}

TEST_CASE("alibi: under a causal mask slope · key does the same as −slope · distance") {
  ProblemDraft distance = alibi(2, 5, 5);
  distance.masks = {parse_mask("causal")};
  ProblemDraft ramp = distance;
  ramp.positions = {};
  ramp.bias = Array{{2, 1, 5}, {}};
  for (const double slope : {1.0 / 16, 1.0 / 256}) {
    for (int j = 0; j < 5; ++j) ramp.bias->data.push_back(slope * j);
  }
  CHECK(first_difference(step_of(ramp, "masked_scores"), step_of(distance, "masked_scores")) != "");
  CHECK(first_difference(step_of(ramp, "weights"), step_of(distance, "weights")) == "");
}

TEST_CASE("alibi: queries are where align and the past put them") {
  ProblemDraft draft = alibi(1, 2, 4);
  draft.positions.slopes = {1};
  CHECK(step_of(draft, "bias").data() == std::vector<double>{0, -1, -2, -3, -1, 0, -1, -2});
  draft.align = Align::End;
  CHECK(step_of(draft, "bias").data() == std::vector<double>{-2, -1, 0, -1, -3, -2, -1, 0});
  draft.align = Align::KeyLengths;
  draft.key_lengths = {1};
  CHECK(step_of(draft, "bias").data() == std::vector<double>{-1, -2, -3, -4, 0, -1, -2, -3});
  draft = alibi(1, 1, 2);
  draft.positions.slopes = {1};
  draft.past = ProblemDraft::Past{{}, Array{{1, 1, 2}, {1, 1}}, Array{{1, 1, 2}, {1, 1}}};
  CHECK(step_of(draft, "bias").data() == std::vector<double>{-1, 0, -1});
}

TEST_CASE("alibi: a given bias is added, and its −∞ still hides") {
  ProblemDraft draft = alibi(2, 1, 3);
  draft.positions.slopes = {1, 2};
  draft.bias = Array{{3}, {10, 20, -kInfinity}};
  CHECK(step_of(draft, "bias").data() ==
        std::vector<double>{10, 19, -kInfinity, 10, 18, -kInfinity});
  const Tensor weights = step_of(draft, "weights");
  CHECK(weights.at({0, 0, 0, 2}) == 0);
  CHECK(weights.at({0, 1, 0, 2}) == 0);
}

}  // namespace attn::testing
