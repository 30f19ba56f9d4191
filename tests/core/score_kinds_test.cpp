// Scores other than dot products, and weights other than those of softmax.

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/infinity.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

ProblemDraft few_rows(Index queries = 3, Index keys = 4, Index d_k = 2) {
  Dice dice(81);
  ProblemDraft draft;
  draft.q = dice.numbers({queries, d_k});
  draft.k = dice.numbers({keys, d_k});
  draft.v = dice.numbers({keys, 3});
  return draft;
}

double number_at(const Array& a, Index row, Index col) {
  return a.data[static_cast<std::size_t>(row * a.shape.back() + col)];
}

std::string refused_with(const ProblemDraft& draft) {
  return id_and_what(refusal_from([&] { make_problem(draft); }));
}

}  // namespace

TEST_CASE("additive: the scores, weights and output of Keras' AdditiveAttention") {
  ProblemDraft draft = few_rows();
  draft.score = ScoreKind::Additive;
  draft.weights["v_score"] = Array{{2}, {0.7, -1.3}};
  const Trace trace = trace_of(draft);
  for (Index i = 0; i < 3;
       ++i) {  // reduce_sum(scale * tanh(query + key), axis=-1), softmax, · value
    std::vector<double> scores, output(3);
    double total = 0;
    for (Index j = 0; j < 4; ++j) {
      scores.push_back(0.7 * std::tanh(number_at(*draft.q, i, 0) + number_at(*draft.k, j, 0)) -
                       1.3 * std::tanh(number_at(*draft.q, i, 1) + number_at(*draft.k, j, 1)));
      CHECK(close(scores.back(), trace.value("scores").at({0, 0, i, j})));
      total += std::exp(scores.back());
    }
    for (Index j = 0; j < 4; ++j) {
      const double weight = std::exp(scores[static_cast<std::size_t>(j)]) / total;
      CHECK(close(weight, trace.value("weights").at({0, 0, i, j})));
      for (Index c = 0; c < 3; ++c)
        output[static_cast<std::size_t>(c)] += weight * number_at(*draft.v, j, c);
    }
    for (Index c = 0; c < 3; ++c)
      CHECK(close(output[static_cast<std::size_t>(c)], trace.value("output").at({0, 0, i, c})));
  }
}

TEST_CASE("distance: softmax makes the Gaussian kernels of Nadaraya and Watson of it") {
  ProblemDraft draft = few_rows();
  draft.score = ScoreKind::Distance;
  const Tensor output = step_of(draft, "output");
  for (Index i = 0; i < 3; ++i) {
    for (Index c = 0; c < 3; ++c) {
      double above = 0, below = 0;
      for (Index j = 0; j < 4; ++j) {
        double squares = 0;
        for (Index l = 0; l < 2; ++l)
          squares += std::pow(number_at(*draft.q, i, l) - number_at(*draft.k, j, l), 2);
        const double kernel = std::exp(-squares / 2);
        above += kernel * number_at(*draft.v, j, c);
        below += kernel;
      }
      CHECK(close(above / below, output.at({0, 0, i, c})));
    }
  }
}

TEST_CASE("sum and sigmoid: hidden weights are exactly 0, and hidden scores do not count") {
  for (const NormalizeKind kind : {NormalizeKind::Sum, NormalizeKind::Sigmoid}) {
    ProblemDraft draft = few_rows(4, 4);
    draft.q = Array{{4, 2}, {1, 2, 2, 1, 0.5, 1, 3, 1}};
    draft.k = Array{{4, 2}, {1, 1, 2, 0.5, 1, 3, 0.25, 1}};
    draft.normalize = kind;
    draft.masks = {parse_mask("causal"), parse_mask("keys:0")};
    const Trace trace = trace_of(draft);
    const Tensor &scores = trace.value("scaled_scores"), &weights = trace.value("weights");
    for (Index i = 0; i < 4; ++i) {
      double sum = 0;
      for (Index j = 1; j <= i; ++j) sum += scores.at({0, 0, i, j});
      for (Index j = 0; j < 4; ++j) {
        const double x = scores.at({0, 0, i, j});
        const bool shown = j > 0 && j <= i;
        const double expected = !shown                       ? 0.0
                                : kind == NormalizeKind::Sum ? x / sum
                                                             : 1 / (1 + std::exp(-x));
        CHECK(close(expected, weights.at({0, 0, i, j})));
        if (!shown) CHECK(weights.at({0, 0, i, j}) == 0.0);
      }
    }
  }
}

TEST_CASE("sum: a row without a visible key follows empty_row") {
  ProblemDraft draft = few_rows(2, 2);
  draft.normalize = NormalizeKind::Sum;
  draft.masks = {parse_mask("keys:0-1")};
  CHECK(step_of(draft, "weights").data() == std::vector<double>{0, 0, 0, 0});
  draft.empty_row = EmptyRow::Uniform;
  CHECK(step_of(draft, "weights").data() == std::vector<double>{0.5, 0.5, 0.5, 0.5});
}

TEST_CASE("scores and weights: what does not go together is refused with one sentence") {
  ProblemDraft draft = few_rows();
  draft.score = ScoreKind::Additive;
  CHECK(refused_with(draft) ==
        "missing-key: the additive score v·tanh(q + k) needs v, but weights has no v_score");
  draft.weights["v_score"] = Array{{3}, {1, 2, 3}};
  CHECK(refused_with(draft) == "shape-mismatch: v_score has 3 numbers, but d_k is 2");
  draft.weights["v_score"] = Array{{2}, {1, 2}};
  CHECK(refused_with(draft) == "");
  draft.score = ScoreKind::Dot;
  CHECK(refused_with(draft) ==
        "not-together: v_score belongs to the additive score, but score is \"dot\"");
  draft.weights.clear();
  draft.normalize = NormalizeKind::Sum;
  draft.fill = -1e9;
  CHECK(refused_with(draft) ==
        "not-together: with normalize \"sum\" a hidden score has no share, but the fill would have "
        "one");
  draft.fill = -kInfinity;
  CHECK(refused_with(draft) == "");
  draft.normalize = NormalizeKind::Sigmoid;
  draft.empty_row = EmptyRow::Nan;
  CHECK(refused_with(draft).starts_with(
      "not-together: with normalize \"sigmoid\" every hidden weight"));
}

TEST_CASE("additive: each head may have weights of its own; embeddings need no projections") {
  ProblemDraft draft;
  draft.embeddings = Array{{2, 4}, {1, 0, 2, 1, 0, 1, 1, 0}};
  draft.heads = 2;
  draft.score = ScoreKind::Additive;
  draft.weights["v_score"] = Array{{2, 2}, {1, 1, 10, 10}};
  const Tensor scores = step_of(draft, "scores");
  CHECK(close(std::tanh(2.0), scores.at({0, 0, 0, 0})));
  CHECK(close(10 * (std::tanh(4.0) + std::tanh(2.0)), scores.at({0, 1, 0, 0})));
}

}  // namespace attn::testing
