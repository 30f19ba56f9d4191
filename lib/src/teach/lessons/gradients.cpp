// Gradients: what passes back through softmax, and what a mask or saturated scores stop.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "teach/lessons/backwards.hpp"
#include "teach/lessons/changes.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

constexpr std::size_t kShown = 6;  // keys in a table

std::span<const double> row_at(const Tensor& t, const Cell& cell) {
  return t.row(cell.batch, cell.head, cell.row);
}

/// ∂a_i / ∂m_j of a row of weights.
double slope(std::span<const double> a, std::size_t i, std::size_t j) {
  return a[i] * ((i == j ? 1.0 : 0.0) - a[j]);
}

/// The table of slopes: ∂L/∂A times this table is ∂L/∂M.
void tell_softmax(Telling& lesson, const Trace& trace) {
  const Followed row = followed(trace);
  const std::span<const double> a = row.weights;
  const std::size_t n = std::min(a.size(), kShown);
  lesson.say(
      "Softmax comes next. Raise one score of a row by a little: its share grows, and all others "
      "shrink, for they add up to 1. If the score grows by ε, its own share a grows by about "
      "a·(1 − a)·ε, and any other share b shrinks by a·b·ε. In the row of " +
      row.token +
      ", each number says how fast the share named above it changes when the score named "
      "on the left grows:");
  Table table{{"score of"}, {}, 1};
  for (std::size_t i = 0; i < n; ++i) table.header.push_back(row.keys[i]);
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<std::string>& line = table.rows.emplace_back();
    line.push_back(row.keys[j]);
    for (std::size_t i = 0; i < n; ++i) line.push_back(lesson.number(slope(a, i, j)));
  }
  lesson.table(std::move(table));
  bool zero_sums = true, same = true;
  const auto upstream = row_at(gradient_of(trace, *trace.last_weights()), row.cell);
  const auto passed = row_at(gradient_of(trace, seen_by_softmax(trace)), row.cell);
  for (std::size_t j = 0; j < a.size(); ++j) {
    double sum = 0.0, product = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      sum += slope(a, i, j);
      product += upstream[i] * slope(a, i, j);
    }
    zero_sums = zero_sums && is_close(sum, 0.0);
    same = same && is_close(product, passed[j], 1e-10);
  }
  lesson.claim(filled("Each row{} adds up to 0: what one key gains, the others lose.",
                      n < a.size() ? ", over all " + std::to_string(a.size()) + " keys," : ""),
               zero_sums);
  lesson.claim(
      "∂L/∂A times the table is the gradient of the scores: A ∘ (∂L/∂A − rowsum(∂L/∂A ∘ A)) "
      "computes the same without writing the table down.",
      same);
}

void tell_hidden(Telling& lesson, const SharedTrace& trace, const View& one) {
  const Step& seen = seen_by_softmax(*trace);
  lesson.ask("What is the gradient of a score that the mask hides?",
             "0, exactly. Its share is 0, and both a·(1 − a) and a·b are 0 with it.");
  lesson.show(trace, {seen.id + ".grad"}, one);
  const Tensor& gradient = gradient_of(*trace, seen);
  const Tensor& a = weights_of(trace);
  lesson.claim("No hidden score has a gradient.", all_cells(gradient, [&](const Cell& cell) {
                 return cell.col <= cell.row || (a.at(cell) == 0.0 && gradient.at(cell) == 0.0);
               }));
  bool balanced = true;
  for_each_slice(gradient, [&](Index b, Index h) {
    for (Index i = 0; i < gradient.rows(); ++i) {
      const auto row = gradient.row(b, h, i);
      balanced = balanced && is_close(std::accumulate(row.begin(), row.end(), 0.0), 0.0, 1e-10);
    }
  });
  lesson.claim("Every row adds up to 0. Raising all scores of a row together would change nothing.",
               balanced);
}

/// Masked by a factor after softmax: what hidden scores get.
void tell_leak(Telling& lesson, ProblemDraft draft, const View& one) {
  draft.masking = MaskingMode::Multiply;
  const SharedTrace leaky = there_and_back(draft);
  const Step& seen = seen_by_softmax(*leaky);
  const Tensor& gradient = gradient_of(*leaky, seen);
  const bool none = all_cells(
      gradient, [&](const Cell& cell) { return cell.col <= cell.row || gradient.at(cell) == 0.0; });
  lesson.ask(
      "Now let the same mask multiply the weights after softmax. Do hidden scores still get no "
      "gradient?",
      none ? "None, in this problem; but nothing forbids it."
           : "They do get one. Their weights are set to 0, but the sum that softmax divided by "
             "still has them in it: raise a hidden score, and every visible share shrinks.");
  lesson.show(leaky, {seen.id + ".grad"}, one);
  lesson.claim("Multiplied after softmax, the mask lets gradients through to the future.", !none);
}

/// The mean of the largest weights, and the mean sizes of the gradients of Q·Kᵀ and W_q.
std::array<double, 3> left_of(const ProblemDraft& draft) {
  const SharedTrace trace = there_and_back(draft);
  const Tensor& a = weights_of(trace);
  double largest = 0.0;
  for (Index i = 0; i < a.rows(); ++i) {
    const auto row = a.row(0, 0, i);
    largest += *std::max_element(row.begin(), row.end());
  }
  return {largest / static_cast<double>(a.rows()), mean_size(trace->value("scores.grad")),
          mean_size(trace->value("w_q.grad"))};
}

void tell_saturation(Telling& lesson) {
  const auto raw = left_of(seeded_layer(ScaleRule::Kind::None)),
             scaled = left_of(seeded_layer(ScaleRule::Kind::InverseSqrtDk));
  lesson.say(
      "a·(1 − a) is nearly 0 where a share is nearly 1, and where it is nearly 0. In the "
      "lesson on √d_k, a layer with X from torch.randn with seed 42 put nearly all weight on "
      "single keys. How large are its gradients after they have passed back through softmax, on "
      "average?");
  lesson.table(
      {{"scores", "largest weight", "∂L/∂S", "∂L/∂W_q"},
       {{"not divided", lesson.share(raw[0]), lesson.number(raw[1]), lesson.number(raw[2])},
        {"divided by √d_k", lesson.share(scaled[0]), lesson.number(scaled[1]),
         lesson.number(scaled[2])}},
       1});
  lesson.claim(
      "Saturated scores learn little: with the division, more than three times as much reaches "
      "W_q, although the division also makes each gradient √d_k times smaller on its way back.",
      scaled[2] > 3.0 * raw[2]);
}

}  // namespace

void tell_gradients(Telling& lesson) {
  lesson.needs(!lesson.draft().vocabulary, "a problem without a vocabulary");
  ProblemDraft draft = lesson.draft();
  mask_only(draft, {"causal"});
  const SharedTrace trace = there_and_back(draft);
  needs_self_attention(lesson, *trace, 2);
  View one;
  one.batch = one.head = 0;
  say_what_is_set_aside(lesson);

  lesson.say(
      "Training asks of every number: if it grew by a little, how would the loss change? That is "
      "its gradient. Gradients are computed backwards, from the loss to the parameters, one step "
      "at a time: each step knows how its result depends on its inputs. Here the loss L is the sum "
      "of all numbers of the output, and the mask is causal.");
  lesson.ask("Then what is ∂L/∂A, the gradient of a weight?",
             "A weight multiplies a value, so its gradient says how much L grows with a larger "
             "share of that value. The mask has no say in it yet.");
  lesson.show(trace, {trace->last_weights()->id + ".grad"}, one);

  tell_softmax(lesson, *trace);
  tell_hidden(lesson, trace, one);
  tell_leak(lesson, draft, one);
  tell_saturation(lesson);

  lesson.say(
      "From the scores the gradients go on to Q and K, and to what those were made from. All of "
      "them are steps, and --cell explains any of their numbers.");
  const std::string causal = causal_option(lesson.draft());
  lesson.next("explain {}" + causal + " --gradient", "every step back",
              causal.empty() ? Edit{} : to_mask("causal"));
  const char* input = trace->find("x") != nullptr   ? "x"
                      : trace->find("q") != nullptr ? "q"
                                                    : "scores";
  lesson.next("explain {} --gradient --cell " + std::string(input) + ".grad:0,0",
              "a single number");
  lesson.next("explain {} --gradient --detail full", "with reasons");
  lesson.next("lesson scale", "why scores saturate");
}

}  // namespace attn
