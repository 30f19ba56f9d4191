// What order means: permuted tokens, and three ways to say where a token is.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "attn/phrases.hpp"
#include "attn/torch_random.hpp"
#include "core/tensor/slices.hpp"
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

/// Which token each place gets: {2, 0, 1} puts the last of three first.
using Order = std::vector<Index>;

Order in_place(Index n) {
  Order order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

Order reversed(Index n) {
  Order order = in_place(n);
  std::reverse(order.begin(), order.end());
  return order;
}

/// Every other token, then those left out: 0 2 4 1 3.
Order dealt(Index n) {
  Order order = in_place(n);
  std::stable_partition(order.begin(), order.end(), [](Index i) { return i % 2 == 0; });
  return order;
}

Order drawn(Index n, std::uint64_t seed) {
  const std::vector<double> keys = rand({n}, seed).data;
  Order order = in_place(n);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  return order;
}

/// The same tokens in another order.
void permute_tokens(ProblemDraft& draft, const Order& order) {
  for (auto& list : draft.tokens) {
    const std::vector<std::string> before = list;
    for (std::size_t i = 0; i < order.size(); ++i)
      list[i] = before[static_cast<std::size_t>(order[i])];
  }
  if (!draft.embeddings) return;
  auto& [shape, data] = *draft.embeddings;
  const std::vector<double> before = data;
  const Index rows = shape[shape.size() - 2], cols = shape.back();
  for (Index row = 0; row < std::ssize(data) / cols; ++row) {
    const Index from = row - row % rows + order[static_cast<std::size_t>(row % rows)];
    std::copy_n(before.begin() + from * cols, cols, data.begin() + row * cols);
  }
}

/// The problem with these positions, without masks.
SharedTrace positioned(const Telling& lesson, const Positions& positions, const Order& order = {}) {
  return lesson.attended([&](ProblemDraft& draft) {
    plain(draft);
    draft.positions = positions;
    if (!order.empty()) permute_tokens(draft, order);
  });
}

/// The largest difference between two matrices, relative to the largest number of `a` (or 1): row i
/// of `a` against row order[i] of `b`.
double difference(const Tensor& a, const Tensor& b, const Order& order) {
  double most = 0.0, size = 1.0;
  for_each_slice(a, [&](Index n, Index h) {
    for (Index i = 0; i < a.rows(); ++i) {
      const auto row = a.row(n, h, i), other = b.row(n, h, order[static_cast<std::size_t>(i)]);
      for (std::size_t c = 0; c < row.size(); ++c) {
        most = std::max(most, std::abs(row[c] - other[c]));
        size = std::max(size, std::abs(row[c]));
      }
    }
  });
  return most / size;
}

double difference(const Tensor& a, const Tensor& b) { return difference(a, b, in_place(a.rows())); }

/// How far the output of permuted tokens is from the usual output with its rows in that order.
double moved(const SharedTrace& permuted, const SharedTrace& as_is, const Order& order) {
  return difference(permuted->value("output"), as_is->value("output"), order);
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

void tell_permutations(Telling& lesson, const SharedTrace& as_is, const View& one) {
  constexpr std::uint64_t kDrawn = 5;
  const Index n = as_is->settings().n_queries;
  lesson.say(
      "Attention compares every query with every key. Nothing in Q·Kᵀ says which token came "
      "first. Put the tokens in another order and see.");
  const auto back = positioned(lesson, {}, reversed(n)), deal = positioned(lesson, {}, dealt(n));
  const double back_moved = moved(back, as_is, reversed(n)),
               deal_moved = moved(deal, as_is, dealt(n));
  lesson.ask("What happens to the output if the last token comes first, and the first last?",
             back_moved <= 1e-12
                 ? "Its rows come in the opposite order, too. Their numbers stay the same."
                 : "Here, more than the order of its rows changes.");
  lesson.beside(as_is, "output", "as it is", one);
  lesson.beside(back, "output", "reversed", one);
  if (n > 2) {
    lesson.say("Reversing is nothing special. Now let every other token come first:");
    lesson.beside(deal, "output", "every other token first", one);
  }
  bool all = back_moved <= 1e-12 && deal_moved <= 1e-12;
  for (std::uint64_t seed = 1; seed <= kDrawn; ++seed) {
    const Order order = drawn(n, seed);
    all = all && moved(positioned(lesson, {}, order), as_is, order) <= 1e-12;
  }
  lesson.claim(
      filled("Permute the tokens, and the rows of the output are permuted with them, to 12 "
             "digits: in {} and in {} drawn at random. Attention by itself reads a bag of "
             "words.",
             n > 2 ? "both orders" : "this order", counted(kDrawn, "order")),
      all);
}

/// What masks have to do with order: a causal one, and those of the problem.
void tell_of_masks(Telling& lesson, const SharedTrace& as_is) {
  const Order back = reversed(as_is->settings().n_queries);
  const auto with_masks = [&](const Edit& set_masks) {
    Order orders[] = {in_place(std::ssize(back)), back};
    SharedTrace traces[2];
    for (std::size_t i = 0; i < 2; ++i) {
      traces[i] = lesson.attended([&](ProblemDraft& draft) {
        set_masks(draft);
        draft.positions = {};
        draft.labels.clear();
        permute_tokens(draft, orders[i]);
      });
    }
    return moved(traces[1], traces[0], back);
  };
  lesson.say(
      "A causal mask gives order a meaning: the last token sees all others, the first one only "
      "itself.");
  const Tensor& v = as_is->value("v");
  const bool alike = all_cells(v, [&](const Cell& c) {
    return v.at(c) == v.at({c.batch, c.head, 0, c.col});
  });
  if (!alike)
    lesson.claim("With a causal mask, the reversed tokens do not give the reversed rows.",
                 with_masks([](ProblemDraft& draft) {
                   plain(draft);
                   mask_only(draft, {"causal"});
                 }) > 1e-6);
  const ProblemDraft& own = lesson.draft();
  if (!own.masks.empty() || own.allowed || !own.key_lengths.empty()) {
    const bool follows =
        with_masks([](ProblemDraft& draft) { draft.empty_row = EmptyRow::Zero; }) <= 1e-12;
    lesson.say(follows ? "The masks of this problem follow its tokens, as padding does: with them, "
                         "too, the reversed tokens give the reversed rows."
                       : "The masks of this problem go by position: with them, the reversed tokens "
                         "do not give the reversed rows.");
  }
  lesson.say("But a causal mask says nothing about distances. So models add positions.");
}

void tell_sinusoids(Telling& lesson, const View& one) {
  lesson.say(
      "Sinusoidal positions add a row of sines and cosines to each embedding, before the "
      "projections. Each position has a row of its own.");
  Positions sinusoidal;
  sinusoidal.kind = PositionKind::Sinusoidal;
  const auto waves = positioned(lesson, sinusoidal);
  lesson.show(waves, {"positions"}, one);
  const Order back = reversed(waves->settings().n_queries);
  lesson.claim(
      "With sinusoidal positions, reversing the tokens gives other numbers, not the same rows in "
      "another order.",
      moved(positioned(lesson, sinusoidal, back), waves, back) > 1e-6);
  sinusoidal.offset = kShift;
  const auto moved_on = positioned(lesson, sinusoidal);
  const double change = difference(waves->value("scores"), moved_on->value("scores"));
  lesson.ask("Move the whole sentence 100 places to the right. Do the scores stay the same?",
             change > 1e-6 ? "No. Each word now has another position added to it, so its query and "
                             "key differ, too."
                           : "With these weights they do.");
  lesson.beside(waves, "scores", "from position 0", one);
  lesson.beside(moved_on, "scores", "from position 100", one);
  lesson.claim("Sinusoidal positions: the scores depend on where the sentence begins.",
               change > 1e-6);
}

void tell_rope(Telling& lesson, const View& one, Index rotary_dim) {
  lesson.say(
      "RoPE, rotary positions, turns queries and keys instead: each pair of columns by an angle "
      "that grows with the position. Turn two vectors by the same angle, and their dot product "
      "stays the same. Only the difference of their angles counts.");
  Positions rope;
  rope.kind = PositionKind::Rope;
  rope.rotary_dim = rotary_dim;
  const auto turned = positioned(lesson, rope);
  rope.offset = kShift;
  const auto further = positioned(lesson, rope);
  const double change = difference(turned->value("scores"), further->value("scores"));
  lesson.ask("And now, 100 places to the right?",
             change <= 1e-11 ? "Every score is the same: only distances count."
                             : "Here, the scores change.");
  lesson.beside(turned, "scores", "from position 0", one);
  lesson.beside(further, "scores", "from position 100", one);
  lesson.claim("RoPE: the scores do not depend on where the sentence begins.", change <= 1e-11);
}

void tell_alibi(Telling& lesson, const View& one, Index heads) {
  lesson.say(
      "ALiBi leaves tokens, queries and keys alone. It lowers each score in proportion to the "
      "distance between query and key: here, by 0.5 for each step.");
  Positions alibi;
  alibi.kind = PositionKind::Alibi;
  alibi.slopes.assign(static_cast<std::size_t>(heads), kSlope);
  const auto sloped = positioned(lesson, alibi);
  lesson.show(sloped, {"bias"}, one);
  lesson.claim("ALiBi: a score loses 0.5 for each step of distance.", falls_with_distance(*sloped));
}

void tell_positions_to_try(Telling& lesson) {
  const auto with = [](PositionKind kind) {
    return [=](ProblemDraft& changed) {
      changed.positions = {};
      changed.positions.kind = kind;
    };
  };
  lesson.next("explain {} --positions sinusoidal", "positions added to X",
              with(PositionKind::Sinusoidal));
  lesson.next("explain {} --positions rope", "queries and keys rotated", with(PositionKind::Rope));
  lesson.next("explain {} --positions alibi", "a bias on the scores", with(PositionKind::Alibi));
  lesson.next("compare {} --right positions=rope", "what RoPE changes", with(PositionKind::Rope));
}

}  // namespace

void tell_order(Telling& lesson) {
  const ProblemDraft& draft = lesson.draft();
  lesson.needs(!draft.memory && !draft.past && !draft.q, "self-attention on embeddings");
  lesson.needs(draft.qk_norm.after != QkNormAfter::Rope, "no norm after the rotation");
  const auto as_is = positioned(lesson, {});
  const Settings& facts = as_is->settings();
  lesson.needs(facts.n_queries >= 2, "at least two tokens");
  lesson.needs(as_is->find("kv_latent") == nullptr, "keys that are not made from latents");
  lesson.needs(as_is->find("q_normed") == nullptr, "queries and keys without a norm of their own");
  lesson.needs(facts.d_k >= 2, "queries of at least two numbers, which can be rotated");
  View one;
  one.batch = one.head = 0;
  const bool has_positions = draft.positions.kind != PositionKind::None;
  say_what_is_set_aside(lesson, "", has_positions ? "its positions" : "");
  tell_permutations(lesson, as_is, one);
  tell_of_masks(lesson, as_is);
  tell_sinusoids(lesson, one);
  tell_rope(lesson, one, facts.d_k - facts.d_k % 2);
  tell_alibi(lesson, one, facts.heads);
  tell_positions_to_try(lesson);
}

}  // namespace attn
