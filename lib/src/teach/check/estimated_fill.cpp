// Mistakes whose numbers are read off the answers: the fill that somebody chose.
#include "teach/check/estimated_fill.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>

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

/// What the student computes a step from: their own matrix, or what theirs make; nullptr if no
/// answer comes after it.
const Tensor* own_or_made(const Case& known, const std::string& id) {
  const GradedAnswer* judged = known.find(id);
  return judged != nullptr && judged->used() ? &judged->own : known.follows.made(id);
}

/// Whether fills can be read off in an attention.
bool has_fill(const Trace& attention) {
  return attention.find("masked_scores") != nullptr && attention.find("mask") != nullptr &&
         attention.find("bias") == nullptr;
}

/// Hidden scores in one attention with that fill, written in their place or added to them.
Recipe filled_by(const Trace& attention, double fill, bool added) {
  if (!added) return {instead("masked_scores", "hide", {"{0}", "mask"}, {{"fill", fill}})};
  Rewiring sum = instead("masked_scores", "add", {"{0}", "added_mask"});
  const bool there = attention.find("added_mask") != nullptr;
  if (!there)
    sum.before = {{"added_mask", find_operation("added_mask"), {"mask"}, {{"fill", fill}}}};
  Recipe recipe{std::move(sum)};
  if (there) recipe.push_back(with("added_mask", {{"fill", fill}}));
  return recipe;
}

/// A fill that an attention shows.
struct Shown {
  const Part* part;
  double fill;
  bool added, only_empty_rows;
};

void read_off(const Case& known, const Part& part, std::vector<Shown>& shown) {
  const Trace& alone = part.alone;
  if (!has_fill(alone)) return;
  const Step& scores = alone.at("masked_scores");
  const Tensor* unmasked = own_or_made(known, part.whole_id(scores.inputs[0]));
  if (unmasked == nullptr || !(unmasked->shape() == scores.value.shape())) return;
  const HiddenCells hidden(alone, *scores.scope);
  const auto add = [&](std::optional<double> fill, bool added) {
    if (!fill || std::abs(*fill) <= 1e-3) return;
    shown.push_back({&part, *fill, added, only_empty_rows_show(*fill, added, *unmasked, hidden)});
  };
  for (const Step& step : alone.steps) {
    const bool weights = step.info().role == StepRole::Weights;
    if (!weights && &step != &scores) continue;
    const GradedAnswer* judged = known.find(part.whole_id(step.id));
    if (judged == nullptr || !judged->theirs) continue;
    const Guess found = guess(*judged, *unmasked, hidden, weights);
    add(found.written.value(), false);
    // 1 added to hidden scores is a mask that was added as it is
    const auto sum = found.added.value();
    add(sum && std::abs(*sum - 1.0) > 1e-3 ? sum : std::nullopt, true);
  }
}

}  // namespace

std::vector<Candidate> estimated_fills(const Case& known) {
  const std::vector<Part>& parts = known.parts.of(PartKind::Attention);
  std::vector<Shown> shown;
  for (const Part& part : parts) read_off(known, part, shown);
  std::vector<Candidate> everywhere, alone;
  const auto made = [](const Shown& each, Recipe recipe, std::string where) {
    const char* code = each.only_empty_rows ? "mask.empty_rows" : "mask.weak_fill";
    Candidate candidate{find_mistake_row(code), {.recipe = std::move(recipe)}, std::move(where)};
    candidate.fitted = 1;
    return candidate;
  };
  std::vector<const Shown*> different;
  for (const Shown& each : shown) {
    alone.push_back(made(each,
                         each.part->lifted(filled_by(each.part->alone, each.fill, each.added)),
                         each.part->name));
    const bool same = std::any_of(different.begin(), different.end(), [&](const Shown* other) {
      return other->added == each.added &&
             std::abs(other->fill - each.fill) < 1e-3 * std::abs(each.fill);
    });
    if (same || parts.size() == 1) continue;
    different.push_back(&each);
    Recipe all;
    for (const Part& part : parts) {
      if (!has_fill(part.alone)) continue;
      for (Rewiring& change : part.lifted(filled_by(part.alone, each.fill, each.added)))
        all.push_back(std::move(change));
    }
    everywhere.push_back(made(each, std::move(all), "*"));
  }
  everywhere.insert(everywhere.end(), std::make_move_iterator(alone.begin()),
                    std::make_move_iterator(alone.end()));
  return everywhere;
}

}  // namespace attn
