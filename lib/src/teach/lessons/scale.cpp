// Why √d_k: scores grow with the length of the vectors, and softmax saturates.
#include <algorithm>
#include <cmath>

#include "attn/torch_random.hpp"
#include "core/tensor/slices.hpp"
#include "teach/lessons/backwards.hpp"
#include "teach/lessons/changes.hpp"

namespace attn {
namespace {

constexpr Index kTokens = 32;

/// Queries and keys of random numbers with mean 0 and variance 1, d_k of them each.
ProblemDraft random_vectors(Index d_k, ScaleRule::Kind scale) {
  ProblemDraft draft;
  draft.q = randn({kTokens, d_k}, 1);
  draft.k = randn({kTokens, d_k}, 2);
  draft.v = randn({kTokens, 1}, 3);
  draft.scale.kind = scale;
  return draft;
}

/// Means over all rows of all matrices.
struct Spread {
  double bits = 0.0, largest = 0.0;
  double moves = 0.0;  ///< Σ a·(1 − a): how much weights move if their scores do
};

Spread spread_of(const Tensor& weights) {
  Spread s;
  double rows = 0.0;
  for_each_slice(weights, [&](Index b, Index h) {
    for (Index i = 0; i < weights.rows(); ++i, ++rows) {
      const auto row = weights.row(b, h, i);
      s.bits += entropy(row);
      s.largest += *std::max_element(row.begin(), row.end());
      for (const double a : row) s.moves += a * (1.0 - a);
    }
  });
  return {s.bits / rows, s.largest / rows, s.moves / rows};
}

double deviation(std::span<const double> numbers) {
  double sum = 0.0;
  for (const double x : numbers) sum += x * x;
  return std::sqrt(sum / static_cast<double>(numbers.size()));  // of numbers with mean 0
}

void tell_growth(Telling& lesson) {
  lesson.say(
      "A score is a sum of d_k products. If the numbers are independent, with mean 0 and "
      "variance 1, variances add up: the scores have variance d_k, and a typical one is "
      "about √d_k away from 0. Here are " +
      std::to_string(kTokens) + " random queries and keys of growing length:");
  Table table{
      {"d_k", "√d_k", "score", "entropy", "largest", "entropy, divided", "largest, divided"},
      {},
      0};
  bool grows = true, falls = true, stays = true;
  double before = 1e9;
  for (const Index d_k : {1, 4, 16, 64, 256}) {
    const SharedTrace raw = computed(random_vectors(d_k, ScaleRule::Kind::None));
    const SharedTrace scaled = computed(random_vectors(d_k, ScaleRule::Kind::InverseSqrtDk));
    const double root = std::sqrt(static_cast<double>(d_k));
    const double size = deviation(raw->value("scores").data());
    const Spread a = spread_of(weights_of(raw)), b = spread_of(weights_of(scaled));
    table.rows.push_back({std::to_string(d_k), lesson.number(root), lesson.number(size),
                          lesson.number(a.bits), lesson.number(a.largest), lesson.number(b.bits),
                          lesson.number(b.largest)});
    grows = grows && size > 0.7 * root && size < 1.4 * root;
    falls = falls && a.bits < before;
    stays = stays && b.bits > 0.8 * std::log2(kTokens);
    before = a.bits;
  }
  lesson.ask("Evenly spread over " + std::to_string(kTokens) +
                 " keys, a row of weights has an "
                 "entropy of log2 " +
                 std::to_string(kTokens) + " = " + lesson.number(std::log2(kTokens)) +
                 " bits; with all weight on one key, 0. What happens to it as d_k grows?",
             "It falls towards 0, unless the scores are divided by √d_k. The table shows the size "
             "of a score, the entropy of a row and its largest weight, on average:");
  lesson.table(std::move(table));
  lesson.claim("The size of a score grows like √d_k.", grows);
  lesson.claim("Without the division the entropy falls as d_k grows: softmax saturates.", falls);
  lesson.claim("With the division it stays above four fifths of the most that is possible.", stays);
}

/// The columns in which no weight reaches a millionth.
std::vector<Index> faint_columns(const Tensor& weights) {
  std::vector<Index> found;
  for (Index j = 0; j < weights.cols(); ++j) {
    double most = 0.0;
    for (Index i = 0; i < weights.rows(); ++i) most = std::max(most, weights.at({0, 0, i, j}));
    if (most < 1e-6) found.push_back(j);
  }
  return found;
}

/// How large the gradients of what softmax sees are, on average.
double learned(const ProblemDraft& draft) {
  const SharedTrace trace = there_and_back(draft);
  return mean_size(gradient_of(*trace, seen_by_softmax(*trace)));
}

void tell_seeds(Telling& lesson) {
  ProblemDraft draft = seeded_layer(ScaleRule::Kind::None);
  const SharedTrace raw = computed(draft);
  const Tensor& a = weights_of(raw);
  View one;
  lesson.say(
      "The same in a small layer: X of 8 tokens from torch.randn with seed 42, W_q, W_k and "
      "W_v with seeds 10, 11 and 12, and no division.");
  lesson.beside(raw, "weights", "not scaled", one);
  bool saturated = true;
  for (Index i = 0; i < a.rows(); ++i) {
    const auto row = a.row(0, 0, i);
    saturated = saturated && *std::max_element(row.begin(), row.end()) > 0.9;
  }
  lesson.claim("Every row gives more than nine tenths to a single key.", saturated);
  const double stuck = learned(draft),
               moving = learned(seeded_layer(ScaleRule::Kind::InverseSqrtDk));
  lesson.claim("Such rows hardly learn: the gradients of what softmax sees are " +
                   lesson.number(stuck) + " on average, and " + lesson.number(moving) +
                   " with the division.",
               moving > 3.0 * stuck);
  draft.masks = {parse_mask("causal")};
  lesson.claim(
      "With a causal mask as well, columns 5 and 7, counted from 0, stay below a millionth: "
      "by chance, not by the mask. No other column does.",
      faint_columns(weights_of(computed(draft))) == std::vector<Index>{5, 7});
}

void tell_own(Telling& lesson) {
  const auto with = [&](ScaleRule::Kind kind) {
    return lesson.attended([&](ProblemDraft& draft) { draft.scale.kind = kind; });
  };
  const SharedTrace raw = with(ScaleRule::Kind::None),
                    scaled = with(ScaleRule::Kind::InverseSqrtDk);
  lesson.needs(scaled->find("bias") == nullptr && scaled->find("capped_scores") == nullptr,
               "scores without a bias, ALiBi or a softcap");
  View one;
  one.batch = one.head = 0;
  lesson.say("The problem at hand, with d_k = " + std::to_string(scaled->settings().d_k) + ":");
  lesson.beside(raw, "weights", "not scaled", one);
  lesson.beside(scaled, "weights", "divided by √d_k", one);
  const Tensor &a = raw->value("weights"), &b = scaled->value("weights");
  bool wider = true;
  for_each_slice(a, [&](Index batch, Index head) {
    for (Index i = 0; i < a.rows(); ++i)
      wider = wider && entropy(b.row(batch, head, i)) >= entropy(a.row(batch, head, i)) - 1e-12;
  });
  lesson.claim("Divided by √d_k, every row is spread at least as evenly as before.", wider);
  const double before = spread_of(a).moves, after = spread_of(b).moves;
  lesson.say(
      "And learning? If a score that softmax sees moves by a little, its weight a moves by "
      "a·(1 − a) times as much: nothing if a is 0 or 1. Added up over each row, that is on "
      "average " +
      lesson.number(before) + " without the division, " + lesson.number(after) +
      " with it. A saturated row learns next to nothing. (The division itself makes every change "
      "of Q·Kᵀ smaller, by a factor of √d_k; where rows saturate, that costs less than it gains.)");
  lesson.claim("With the division, softmax responds to its scores at least as much as without.",
               after >= before - 1e-12);
}

}  // namespace

void tell_scale(Telling& lesson) {
  tell_growth(lesson);
  tell_seeds(lesson);
  tell_own(lesson);
  const Edit undivided = [](ProblemDraft& draft) { draft.scale.kind = ScaleRule::Kind::None; };
  lesson.next("explain {} --scale none", "without the division", undivided);
  lesson.next("compare {} --left scale=none", "both, step by step", undivided);
  lesson.next("explain {} --summary", "entropies");
}

}  // namespace attn
