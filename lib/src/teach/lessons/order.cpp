// What order means: permuted tokens, and three ways to say where a token is.
#include <algorithm>
#include <cmath>

#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

constexpr Index kShift = 100;
constexpr double kSlope = 0.5;

/// Forgets masks and added keys, and what only predictions need.
void plain(ProblemDraft& draft) {
  mask_only(draft, {});
  draft.vocabulary.reset();
  draft.labels.clear();
  draft.add_zero_attn = false;
  draft.weights.erase("bias_k");
  draft.weights.erase("bias_v");
}

/// The same tokens from the last to the first.
void reverse_tokens(ProblemDraft& draft) {
  for (auto& list : draft.tokens) std::reverse(list.begin(), list.end());
  if (!draft.embeddings) return;
  auto& [shape, data] = *draft.embeddings;
  const Index rows = shape[shape.size() - 2], cols = shape.back();
  for (auto matrix = data.begin(); matrix != data.end(); matrix += rows * cols) {
    for (Index i = 0; i < rows / 2; ++i)
      std::swap_ranges(matrix + i * cols, matrix + (i + 1) * cols, matrix + (rows - 1 - i) * cols);
  }
}

/// The problem with these positions.
SharedTrace positioned(const Telling& lesson, const Positions& positions, bool reversed = false) {
  return lesson.attended([&](ProblemDraft& draft) {
    plain(draft);
    draft.positions = positions;
    if (reversed) reverse_tokens(draft);
  });
}

/// The largest difference between two matrices, relative to their largest number (or 1); row i of
/// one against row i of the other, or the rows of one from the last to the first.
double difference(const Tensor& a, const Tensor& b, bool reversed = false) {
  double most = 0.0, size = 1.0;
  for (Index n = 0; n < a.batch(); ++n) {
    for (Index h = 0; h < a.heads(); ++h) {
      for (Index i = 0; i < a.rows(); ++i) {
        const auto row = a.row(n, h, i), other = b.row(n, h, reversed ? a.rows() - 1 - i : i);
        for (std::size_t c = 0; c < row.size(); ++c) {
          most = std::max(most, std::abs(row[c] - other[c]));
          size = std::max(size, std::abs(row[c]));
        }
      }
    }
  }
  return most / size;
}

bool falls_with_distance(const Trace& trace) {
  const Step& masked = trace.at("masked_scores");
  const Tensor &bias = trace.value("bias"), &before = trace.input(masked, 0).value,
               &after = masked.value;
  for (Index i = 0; i < bias.rows(); ++i) {
    for (Index j = 0; j < bias.cols(); ++j) {
      const double b = -kSlope * static_cast<double>(std::abs(i - j));
      if (bias.at({0, 0, i, j}) != b) return false;
      if (!is_close(after.at({0, 0, i, j}), before.at({0, 0, i, j}) + b)) return false;
    }
  }
  return true;
}

}  // namespace

void tell_order(Telling& lesson) {
  const ProblemDraft& draft = lesson.draft();
  lesson.needs(!draft.memory && !draft.past && !draft.q, "self-attention on embeddings");
  const auto as_is = positioned(lesson, {});
  const Settings& facts = as_is->settings();
  lesson.needs(facts.n_queries >= 2, "two tokens");
  lesson.needs(facts.d_k >= 2, "queries of two numbers, which can be rotated");
  const auto reversed = positioned(lesson, {}, true);
  View one;
  one.batch = one.head = 0;

  lesson.say(
      "Attention compares every query with every key. Nothing in Q·Kᵀ says which token came "
      "first. Turn the sentence around and see.");
  lesson.ask("What happens to the output if the tokens come in the opposite order?",
             "Its rows come in the opposite order, and not one number changes.");
  lesson.beside(as_is, "output", "forwards", one);
  lesson.beside(reversed, "output", "backwards", one);
  lesson.claim(
      "The output of the reversed tokens is the reversed output, to 12 digits: "
      "attention by itself reads a bag of words.",
      difference(as_is->value("output"), reversed->value("output"), true) <= 1e-12);

  lesson.say(
      "A causal mask gives order a meaning: the last token sees all others, the first one only "
      "itself. But it does not say how far away a token is. So models add positions.");

  lesson.say(
      "Sinusoidal positions add a row of sines and cosines to each embedding, before the "
      "projections. Each position has a row of its own.");
  Positions sinusoidal;
  sinusoidal.kind = PositionKind::Sinusoidal;
  const auto waves = positioned(lesson, sinusoidal);
  lesson.show(waves, {"positions"}, one);
  lesson.claim(
      "With sinusoidal positions, reversing the tokens gives other numbers, not the same rows in "
      "another order.",
      difference(waves->value("output"), positioned(lesson, sinusoidal, true)->value("output"),
                 true) > 1e-6);
  lesson.ask(
      "Move the whole sentence 100 places to the right. Do the scores stay the same?",
      "No. Each word now has another position added to it, so its query and key differ, too.");
  sinusoidal.offset = kShift;
  const auto moved = positioned(lesson, sinusoidal);
  lesson.beside(waves, "scores", "from position 0", one);
  lesson.beside(moved, "scores", "from position 100", one);
  lesson.claim("Sinusoidal positions: the scores depend on where the sentence begins.",
               difference(waves->value("scores"), moved->value("scores")) > 1e-6);

  lesson.say(
      "RoPE, rotary positions, turns queries and keys instead: each pair of columns by an angle "
      "that grows "
      "with the position. Turn two vectors by the same angle, and their dot product stays the "
      "same. Only the difference of their angles counts.");
  lesson.ask("And now, 100 places to the right?", "Every score is the same: only distances count.");
  Positions rope;
  rope.kind = PositionKind::Rope;
  rope.rotary_dim = facts.d_k - facts.d_k % 2;
  const auto turned = positioned(lesson, rope);
  rope.offset = kShift;
  const auto further = positioned(lesson, rope);
  lesson.beside(turned, "scores", "from position 0", one);
  lesson.beside(further, "scores", "from position 100", one);
  lesson.claim("RoPE: the scores do not depend on where the sentence begins.",
               difference(turned->value("scores"), further->value("scores")) <= 1e-11);

  lesson.say(
      "ALiBi leaves tokens, queries and keys alone. It lowers each score in proportion to the "
      "distance between query and key: here, by 0.5 for each step.");
  Positions alibi;
  alibi.kind = PositionKind::Alibi;
  alibi.slopes.assign(static_cast<std::size_t>(facts.heads), kSlope);
  const auto sloped = positioned(lesson, alibi);
  lesson.show(sloped, {"bias"}, one);
  lesson.claim("ALiBi: a score loses 0.5 for each step of distance.", falls_with_distance(*sloped));

  const auto with = [](PositionKind kind) {
    return [=](ProblemDraft& changed) { changed.positions.kind = kind; };
  };
  lesson.next("explain {} --positions sinusoidal", "positions added to X",
              with(PositionKind::Sinusoidal));
  lesson.next("explain {} --positions rope", "queries and keys rotated", with(PositionKind::Rope));
  lesson.next("explain {} --positions alibi", "a bias on the scores", with(PositionKind::Alibi));
  lesson.next("compare {} --right positions=rope", "what RoPE changes", with(PositionKind::Rope));
}

}  // namespace attn
