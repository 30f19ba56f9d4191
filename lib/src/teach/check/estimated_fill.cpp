// Mistakes whose numbers are read off the answers: the fill that somebody chose.
#include "teach/check/estimated_fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"

namespace attn {
namespace {

/// A number that appears in several places, each time slightly off.
class Agreement {
 public:
  void add(double x, double room) {
    if (!std::isfinite(x)) return;
    low_ = std::max(low_, x - room);
    high_ = std::min(high_, x + room);
    ++count_;
  }
  std::optional<double> value() const {
    if (count_ < 2 || low_ > high_) return std::nullopt;
    return (low_ + high_) / 2.0;
  }

 private:
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
  Index count_ = 0;
};

/// The fill: written in place of hidden scores, or added to them.
struct Guess {
  Agreement written, added;
};

/// The fill that the hidden cells of `theirs` show: directly, or through logarithms of weights.
Guess guess(const GradedAnswer& judged, const Tensor& unmasked, const HiddenCells& hidden,
            bool weights) {
  const double grain = std::max(judged.close.grain, 1e-6);
  Guess found;
  for_each_slice(*judged.theirs, [&](Index b, Index h) {
    for (Index r = 0; r < judged.theirs->rows(); ++r) {
      double best = 0.0, shift = 0.0;  // ln weight = score − shift, from the largest visible one
      for (Index c = 0; weights && c < judged.theirs->cols(); ++c) {
        const double a = judged.theirs->at({b, h, r, c});
        if (hidden({b, h, r, c}) || a <= best) continue;
        best = a;
        shift = unmasked.at({b, h, r, c}) - std::log(a);
      }
      for (Index c = 0; c < judged.theirs->cols(); ++c) {
        const Cell cell{b, h, r, c};
        const double theirs = judged.theirs->at(cell);
        if (!hidden(cell) || !std::isfinite(theirs)) continue;
        if (weights && (best == 0.0 || theirs < 2.0 * grain)) continue;
        const double score = weights ? std::log(theirs) + shift : theirs;
        const double room = weights ? grain / theirs + grain / best : 2.0 * grain;
        found.written.add(score, room);
        found.added.add(score - unmasked.at(cell), room);
      }
    }
  });
  return found;
}

/// Whether a fill hides well in every row that has a visible key, so that it shows in the others
/// alone, of which there is at least one.
bool only_empty_rows_show(double fill, bool added, const Tensor& unmasked,
                          const HiddenCells& hidden) {
  constexpr double kEnough = 11.0;  // e^−11 is 1e-5
  bool hides = true, any_empty = false;
  for_each_slice(unmasked, [&](Index b, Index h) {
    for (Index r = 0; r < unmasked.rows(); ++r) {
      double seen = -std::numeric_limits<double>::infinity(), unseen = added ? seen : fill;
      for (Index c = 0; c < unmasked.cols(); ++c) {
        const Cell cell{b, h, r, c};
        const double score = unmasked.at(cell);
        if (!hidden(cell)) seen = std::max(seen, score);
        if (hidden(cell) && added) unseen = std::max(unseen, score + fill);
      }
      const bool empty = std::isinf(seen);
      any_empty = any_empty || empty;
      hides = hides && (empty || unseen <= seen - kEnough);
    }
  });
  return hides && any_empty;
}

/// What the student computes the masked scores from; nullptr if no answer comes after it.
const Tensor* own_or_made(const Evaluation& follows, const std::vector<GradedAnswer>& answers,
                          const std::string& id) {
  for (const GradedAnswer& each : answers) {
    if (each.step->id == id && each.used()) return &each.own;
  }
  return follows.made(id);
}

}  // namespace

std::vector<Candidate> estimated_fills(const Trace& truth, const Evaluation& follows,
                                       const std::vector<GradedAnswer>& answers) {
  const Step* scores = truth.find("masked_scores");
  const Step* mask = truth.find("mask");
  if (scores == nullptr || mask == nullptr || truth.find("bias") != nullptr) return {};
  const Tensor* unmasked = own_or_made(follows, answers, scores->inputs[0]);
  if (unmasked == nullptr || !(unmasked->shape() == scores->value.shape())) return {};
  const HiddenCells hidden(truth, *scores->scope);
  std::vector<Candidate> all;
  const auto add = [&](double fill, bool added, Recipe recipe) {
    const bool hides = only_empty_rows_show(fill, added, *unmasked, hidden);
    const char* code = hides ? "mask.empty_rows" : "mask.weak_fill";
    all.push_back({find_mistake_row(code), {.recipe = std::move(recipe)}});
    all.back().fitted = 1;
  };
  for (const GradedAnswer& judged : answers) {
    const bool weights = judged.step->info().role == StepRole::Weights;
    if (!judged.theirs || !(weights || judged.step == scores)) continue;
    const Guess found = guess(judged, *unmasked, hidden, weights);
    if (const auto fill = found.written.value(); fill && std::abs(*fill) > 1e-3)
      add(*fill, false, {instead("masked_scores", "hide", {"{0}", "mask"}, {{"fill", *fill}})});
    // 1 added to hidden scores is a mask that was added as it is
    if (const auto fill = found.added.value();
        fill && std::abs(*fill) > 1e-3 && std::abs(*fill - 1.0) > 1e-3) {
      Rewiring added = instead("masked_scores", "add", {"{0}", "added_mask"});
      if (!truth.find("added_mask"))
        added.before = {{"added_mask", find_operation("added_mask"), {"mask"}, {{"fill", *fill}}}};
      Recipe recipe{added};
      if (truth.find("added_mask")) recipe.push_back(with("added_mask", {{"fill", *fill}}));
      add(*fill, true, std::move(recipe));
    }
  }
  return all;
}

}  // namespace attn
