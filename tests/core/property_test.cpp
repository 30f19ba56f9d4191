// What must hold of attention whatever the numbers are.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/eigen.hpp"
#include "core/operations/operations.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/infinity.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

/// The traces of `count` random problems, in which an empty row is no error.
std::vector<Trace> random_traces(std::uint64_t first_seed, std::uint64_t count) {
  std::vector<Trace> traces;
  for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
    ProblemDraft draft = random_problem(seed);
    if (draft.empty_row == EmptyRow::Error) draft.empty_row = EmptyRow::Zero;
    traces.push_back(attend(make_problem(draft)));
  }
  return traces;
}

ProblemDraft given_qkv(Dice& dice, Index n_queries, Index n_keys) {
  ProblemDraft draft;
  draft.q = dice.numbers({n_queries, 6});
  draft.k = dice.numbers({n_keys, 6});
  draft.v = dice.numbers({n_keys, 4});
  draft.heads = 2;
  return draft;
}

ProblemDraft self_attention(Dice& dice, Index length) {
  ProblemDraft draft;
  draft.embeddings = dice.numbers({length, 5});
  draft.weights["w_q"] = dice.numbers({5, 6});
  draft.weights["w_k"] = dice.numbers({5, 6});
  draft.weights["w_v"] = dice.numbers({5, 4});
  draft.weights["w_o"] = dice.numbers({4, 5});
  draft.heads = 2;
  return draft;
}

Tensor output_of(const ProblemDraft& draft) { return attend(make_problem(draft)).value("output"); }

/// The array with row i (or, for the last axis, column i) taken from `order[i]`.
Array reordered(const Array& array, const std::vector<Index>& order, bool columns) {
  Array result = array;
  const Index cols = array.shape.back();
  for (std::size_t n = 0; n < array.data.size(); ++n) {
    const Index row = static_cast<Index>(n) / cols, col = static_cast<Index>(n) % cols;
    const Index from_row = columns ? row : order[static_cast<std::size_t>(row)];
    const Index from_col = columns ? order[static_cast<std::size_t>(col)] : col;
    result.data[n] = array.data[static_cast<std::size_t>(from_row * cols + from_col)];
  }
  return result;
}

/// Calls act(batch, head) for every matrix of the tensor.
template <typename Act>
void for_each_slice(const Tensor& tensor, Act act) {
  for (Index b = 0; b < tensor.batch(); ++b) {
    for (Index h = 0; h < tensor.heads(); ++h) act(b, h);
  }
}

}  // namespace

TEST_CASE("softmax: every row of weights sums to 1 unless nothing was left to attend to") {
  std::size_t rows = 0;
  for (const Trace& trace : random_traces(2000, 100)) {
    if (trace.settings().normalize != NormalizeKind::Softmax) continue;
    const Tensor& weights = trace.value("weights");
    const Tensor& scores = *trace.inputs(*trace.find("weights")).at(0);
    const Step* sink = trace.find("sink_weights");
    for_each_slice(weights, [&](Index b, Index h) {
      for (Index i = 0; i < weights.rows(); ++i) {
        double sum = sink == nullptr ? 0 : sink->value.at({b, h, i, 0}), largest = -kInfinity;
        for (Index j = 0; j < weights.cols(); ++j) {
          sum += weights.at({b, h, i, j});
          largest = std::max(largest, scores.at({b, h, i, j}));
        }
        if (largest == -kInfinity) continue;
        CHECK(close(1, sum));
        ++rows;
      }
    });
  }
  CHECK(rows > 500);
}

TEST_CASE("masks: what is hidden with -inf, or multiplied away, has a weight of exactly 0") {
  std::size_t hidden = 0;
  for (std::uint64_t seed = 3000; seed < 3150; ++seed) {
    ProblemDraft draft = random_problem(seed);
    draft.empty_row = EmptyRow::Zero;
    if (draft.fill) draft.fill = -kInfinity;
    const Trace trace = attend(make_problem(draft));
    if (!trace.find("mask")) continue;
    const Tensor& mask = trace.value("mask");
    const Tensor& weights =
        trace.value(trace.find("masked_weights") ? "masked_weights" : "weights");
    REQUIRE(mask.shape() == weights.shape());
    for (std::size_t n = 0; n < mask.data().size(); ++n) {
      if (mask.data()[n] == 1) continue;
      CHECK(weights.data()[n] == 0);
      ++hidden;
    }
  }
  CHECK(hidden > 500);
}

TEST_CASE("softmax: adding a constant to a row of scores changes nothing") {
  Dice dice(1);
  ProblemDraft draft = given_qkv(dice, 4, 5);
  draft.bias = dice.numbers({4, 5});
  const Trace before = attend(make_problem(draft));
  for (std::size_t n = 0; n < 20; ++n) draft.bias->data[n] += 1 + static_cast<double>(n / 5);
  const Trace after = attend(make_problem(draft));

  CHECK(first_difference(before.value("masked_scores"), after.value("masked_scores")) != "");
  CHECK(first_difference(before.value("weights"), after.value("weights")) == "");
  CHECK(first_difference(before.value("output"), after.value("output")) == "");
}

TEST_CASE("softmax: scores of a thousand neither overflow nor vanish") {
  Dice dice(7);
  ProblemDraft draft = given_qkv(dice, 3, 4);
  const Tensor expected = output_of(draft);
  draft.bias = Array{{1}, {1e3}};
  CHECK(attend(make_problem(draft)).value("masked_scores").at({0, 0, 0, 0}) > 900);
  const Tensor found = output_of(draft);
  for (std::size_t n = 0; n < expected.data().size(); ++n) {
    CHECK(close(expected.data()[n], found.data()[n], 1e-11));
  }
}

TEST_CASE("attend: keys and values in another order give the same output") {
  Dice dice(2);
  ProblemDraft draft = given_qkv(dice, 3, 5);
  draft.bias = dice.numbers({3, 5});
  draft.allowed = Array{{3, 5}, {1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 1}};
  ProblemDraft other = draft;
  const std::vector<Index> order = {3, 0, 4, 1, 2};
  other.k = reordered(*draft.k, order, false);
  other.v = reordered(*draft.v, order, false);
  CHECK(first_difference(output_of(draft), output_of(other)) != "");

  other.bias = reordered(*draft.bias, order, true);
  other.allowed = reordered(*draft.allowed, order, true);
  CHECK(first_difference(output_of(draft), output_of(other)) == "");
}

TEST_CASE("causal: an output ignores every later token") {
  Dice dice(3);
  ProblemDraft draft = self_attention(dice, 5);
  draft.masks = {parse_mask("causal")};
  const Tensor before = output_of(draft);
  for (Index changed = 1; changed < 5; ++changed) {
    CAPTURE(changed);
    ProblemDraft other = draft;
    for (Index c = 0; c < 5; ++c)
      other.embeddings->data[static_cast<std::size_t>(changed * 5 + c)] += 3;
    const Tensor after = output_of(other);
    for (Index i = 0; i < 5; ++i) {
      const double largest_change =
          (view(before, 0, 0).row(i) - view(after, 0, 0).row(i)).cwiseAbs().maxCoeff();
      CAPTURE(i);
      if (i < changed) CHECK(largest_change == 0);
      if (i >= changed) CHECK(largest_change > 1e-6);
    }
  }
}

TEST_CASE("attend: without w_o an output is between the smallest and largest value of V") {
  Dice dice(4);
  for (int round = 0; round < 20; ++round) {
    ProblemDraft draft = given_qkv(dice, 3, 5);
    draft.masks = {parse_mask("window:1,2")};
    const Tensor output = output_of(draft);
    for (Index c = 0; c < 4; ++c) {
      double smallest = kInfinity, largest = -kInfinity;
      for (std::size_t j = 0; j < 5; ++j) {
        smallest = std::min(smallest, draft.v->data[j * 4 + static_cast<std::size_t>(c)]);
        largest = std::max(largest, draft.v->data[j * 4 + static_cast<std::size_t>(c)]);
      }
      CHECK(view(output, 0, 0).col(c).minCoeff() >= smallest - 1e-12);
      CHECK(view(output, 0, 0).col(c).maxCoeff() <= largest + 1e-12);
    }
  }
}

TEST_CASE("heads: split and merged again, a matrix is as before") {
  Dice dice(5);
  for (const bool batched : {false, true}) {
    Shape shape{batched ? std::optional<Index>(2) : std::nullopt, std::nullopt, 3, 12};
    Tensor x(shape, dice.numbers({shape.count()}).data);
    for (const Index heads : {1, 2, 3, 4, 6, 12}) {
      CAPTURE(heads);
      const Parameters parameters{{"heads", heads}, {"cut", "contiguous"}};
      const std::vector<const Tensor*> whole = {&x};
      const Shape cut =
          ops::split_heads.shape_rule.result(std::array{x.shape()}, parameters, {}).value();
      const Tensor split = ops::split_heads.evaluate({whole, parameters, cut});
      CHECK(split.shape() == Shape{shape.batch, heads, 3, 12 / heads});
      const std::vector<const Tensor*> parts = {&split};
      const Tensor merged = ops::merge_heads.evaluate({parts, parameters, shape});
      CHECK(first_difference(x, merged) == "");
    }
  }
}

TEST_CASE("heads: weights given per head are the merged weights cut into columns") {
  Dice dice(6);
  ProblemDraft merged = self_attention(dice, 4);
  merged.weights["b_q"] = dice.numbers({6});
  ProblemDraft per_head = merged;
  for (const std::string id : {"w_q", "w_k", "w_v"}) {
    const Array& whole = merged.weights.at(id);
    const Index d = whole.shape[1] / 2;
    Array parts{{2, 5, d}, {}};
    for (Index h = 0; h < 2; ++h) {
      for (Index row = 0; row < 5; ++row) {
        for (Index col = 0; col < d; ++col) {
          parts.data.push_back(whole.data[static_cast<std::size_t>(row * 2 * d + h * d + col)]);
        }
      }
    }
    per_head.weights[id] = parts;
  }
  per_head.weights["b_q"].shape = {2, 3};
  const Trace one = attend(make_problem(merged)), other = attend(make_problem(per_head));
  for (const Step& step : one.steps) {
    CAPTURE(step.id);
    CHECK(first_difference(step.value, other.value(step.id)) == "");
  }
}

}  // namespace attn::testing
