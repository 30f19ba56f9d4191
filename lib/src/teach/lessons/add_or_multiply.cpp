// Add or multiply: a mask before softmax against one after it.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "attn/attend.hpp"
#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/lessons/backwards.hpp"
#include "teach/lessons/followed.hpp"

namespace attn {
namespace {

constexpr double kEndless = -std::numeric_limits<double>::infinity();

constexpr double kNoticed = 1e-3;  // of a row: less would not show

double sum(std::span<const double> row) { return std::accumulate(row.begin(), row.end(), 0.0); }

bool alike(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return is_close(x, y, 1e-9); });
}

/// Of batch entry 0 and head 0, the query whose hidden keys would have the largest share; with two
/// visible keys or more, if there is such a query. nullopt if no query that sees a key has hidden
/// keys whose share would be noticed.
std::optional<Cell> most_tempted(const Trace& trace) {
  const Tensor &before = first_weights(trace, trace.attention())->value,
               &after = trace.last_weights()->value;
  std::optional<Cell> best;
  std::pair<std::ptrdiff_t, double> most{0, 0.0};
  for (Index i = 0; i < after.rows(); ++i) {
    const auto row = after.row(0, 0, i);
    const auto seen = std::ssize(row) - std::count(row.begin(), row.end(), 0.0);
    const std::pair score{std::min<std::ptrdiff_t>(seen, 2), sum(before.row(0, 0, i)) - sum(row)};
    if (seen == 0 || seen == std::ssize(row) || score.second < kNoticed || score <= most) continue;
    most = score;
    best = Cell{0, 0, i, 0};
  }
  return best;
}

/// One query and its keys as a problem of their own, so that no other row is computed.
struct Alone {
  ProblemDraft draft;
  std::size_t hidden = 0;      ///< the hidden key with the largest score
  double length_of_q_squared;  ///< times the scale

  Alone(const Trace& trace, const Followed& row) {
    const auto width = std::ssize(row.query), keys = std::ssize(row.keys);
    draft.q = Array{{1, width}, {row.query.begin(), row.query.end()}};
    draft.k = Array{{keys, width}, {}};
    draft.v = Array{{keys, 1}, std::vector<double>(row.keys.size(), 0.0)};
    draft.allowed = Array{{1, keys}, {}};
    draft.scale = {ScaleRule::Kind::Number, trace.settings().scale.number};
    double largest = kEndless;
    for (std::size_t j = 0; j < row.keys.size(); ++j) {
      draft.k->data.insert(draft.k->data.end(), row.key_rows[j].begin(), row.key_rows[j].end());
      draft.allowed->data.push_back(row.weights[j] != 0.0 ? 1.0 : 0.0);
      if (row.weights[j] != 0.0 || row.scores[j] <= largest) continue;
      largest = row.scores[j];
      hidden = j;
    }
    length_of_q_squared =
        trace.settings().scale.number *
        std::inner_product(row.query.begin(), row.query.end(), row.query.begin(), 0.0);
  }

  /// Its weights, hidden in this way, if the hidden key's score is larger by `larger`.
  std::vector<double> weights(MaskingMode mode, double larger = 0.0, double fill = kEndless,
                              bool before_scale = false) const {
    ProblemDraft changed = draft;
    changed.masking = mode;
    changed.fill = fill;
    changed.mask_before_scale = before_scale;
    const std::size_t width = changed.q->data.size();
    for (std::size_t c = 0; c < width; ++c)
      changed.k->data[hidden * width + c] += changed.q->data[c] * larger / length_of_q_squared;
    return attend(make_problem(changed)).last_weights()->value.data().copy();
  }
};

/// Whether hidden keys have no weight and each row with a visible key adds up to 1.
bool all_rows_whole(const Trace& trace) {
  const Step& weights = *trace.last_weights();
  const HiddenCells hidden(trace, trace.attention());
  bool whole = true;
  for_each_slice(weights.value, [&](Index batch, Index head) {
    for (Index i = 0; i < weights.value.rows(); ++i) {
      const auto row = weights.value.row(batch, head, i);
      if (is_padded_row(trace, weights, {batch, head, i, 0})) continue;
      bool empty = true;
      for (Index j = 0; j < std::ssize(row); ++j) {
        if (!hidden({batch, head, i, j}))
          empty = false;
        else
          whole = whole && row[static_cast<std::size_t>(j)] == 0.0;
      }
      whole = whole && (empty || is_close(sum(row), 1.0));
    }
  });
  return whole;
}

void tell_of_the_leak(Telling& lesson, const Followed& row, const Alone& alone) {
  const std::string hidden = row.keys[alone.hidden];
  const auto add = alone.weights(MaskingMode::Add), multiply = alone.weights(MaskingMode::Multiply);
  const auto add_after = alone.weights(MaskingMode::Add, 1.0),
             multiply_after = alone.weights(MaskingMode::Multiply, 1.0);
  lesson.say("Worse, the hidden key still counts. Change " + hidden + " so that its score with " +
             row.token + " grows by 1, and look at the visible keys.");
  lesson.ask("Which of the two masks lets " + row.token + " notice?",
             "The one that multiplies: e to the hidden score is still in the sum that softmax "
             "divides by.");
  Table table{{"key", "added", "hidden +1", "multiplied", "hidden +1"}, {}};
  const std::vector<std::size_t> visible = row.visible;
  for (const std::size_t j : visible) {
    table.rows.push_back({row.keys[j], lesson.share(add[j]), lesson.share(add_after[j]),
                          lesson.share(multiply[j]), lesson.share(multiply_after[j])});
  }
  lesson.table(table);
  lesson.claim("Added: no weight changes, not even in the last digit.", add == add_after);
  lesson.claim("Multiplied: every visible weight gets smaller.",
               std::all_of(visible.begin(), visible.end(),
                           [&](std::size_t j) { return multiply_after[j] < multiply[j]; }));
}

void tell_of_the_repair(Telling& lesson, const Trace& add, const Trace& again, const Alone& alone) {
  lesson.ask("Would it help to divide each row by its sum after the multiplication?",
             "Yes, as long as something is left to divide.");
  lesson.claim("Divided by their sums, the multiplied rows are those of the added mask.",
               alike(add.last_weights()->value.data(), again.last_weights()->value.data()));
  lesson.say(
      "But let the hidden score be larger by 1000. Softmax gives the hidden key everything and "
      "rounds the other weights to 0; after the multiplication the row is empty, and 0 / 0 brings "
      "nothing back.");
  lesson.claim("Multiplied: with a hidden score larger by 1000, all visible weights become 0.",
               sum(alone.weights(MaskingMode::Renormalize, 1000.0)) == 0.0);
  lesson.claim("With the added mask, the weights are still the same.",
               alone.weights(MaskingMode::Add, 1000.0) == alone.weights(MaskingMode::Add));
  lesson.say("That is why masks are added, before softmax.");
}

/// Whether the loss changes if a row of weights that lost some to hidden keys is scaled.
bool visible_weights_count(const Trace& trace, const HiddenCells& hidden) {
  const Step& last = *trace.last_weights();
  const Tensor& gradient = gradient_of(trace, last);
  bool counts = false;
  for_each_slice(last.value, [&](Index b, Index h) {
    for (Index i = 0; i < last.value.rows(); ++i) {
      double change = 0.0;
      bool lost = false;
      for (Index j = 0; j < last.value.cols(); ++j) {
        const Cell cell{b, h, i, j};
        change += last.value.at(cell) * gradient.at(cell);
        lost =
            lost || (hidden(cell) && first_weights(trace, trace.attention())->value.at(cell) > 0);
      }
      counts = counts || (lost && std::abs(change) > 1e-9);
    }
  });
  return counts;
}

/// What training sees of hidden scores.
void tell_of_gradients(Telling& lesson, const Cell& query, ProblemDraft draft) {
  draft.vocabulary.reset();
  draft.labels.clear();
  const auto back = [&](MaskingMode mode) {
    draft.masking = mode;
    return there_and_back(draft);
  };
  const SharedTrace add = back(MaskingMode::Add), multiply = back(MaskingMode::Multiply);
  const Tensor &added = gradient_of(*add, seen_by_softmax(*add)),
               &multiplied = gradient_of(*multiply, seen_by_softmax(*multiply));
  const HiddenCells hidden(*add, add->attention());
  const auto none_hidden = [&](const Tensor& gradient) {
    return all_cells(gradient, [&](const Cell& c) { return !hidden(c) || gradient.at(c) == 0.0; });
  };
  const Followed row = followed(*multiply, query);
  lesson.say(
      "Training notices as well. Let the loss be the sum of the output. How much would it "
      "change with each score of " +
      row.token + "?");
  const bool leaks = !none_hidden(multiplied);
  lesson.ask("Which of the two masks gives hidden scores a gradient?",
             leaks
                 ? "The one that multiplies. They are still in the sum that softmax divides by."
                 : "Neither, with these numbers: the loss does not depend on the visible weights.");
  Table table{{"score of", "", "added", "multiplied"}, {}, 2};
  for (std::size_t j = 0; j < std::min<std::size_t>(row.keys.size(), 8); ++j) {
    const Cell cell{query.batch, query.head, query.row, static_cast<Index>(j)};
    table.rows.push_back({row.keys[j], hidden(cell) ? "hidden" : "", lesson.number(added.at(cell)),
                          lesson.number(multiplied.at(cell))});
  }
  lesson.table(table);
  lesson.claim("Added: the gradient of every hidden score is exactly 0.", none_hidden(added));
  if (!visible_weights_count(*multiply, hidden)) return;
  lesson.claim(
      "Multiplied: hidden scores have a gradient, so training pushes at scores of words "
      "that nobody may see.",
      leaks);
}

/// How much of the row hidden keys get.
double leaked(const Alone& alone, double fill, bool before_scale) {
  const std::vector<double> weights = alone.weights(MaskingMode::Add, 0.0, fill, before_scale);
  double share = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (alone.draft.allowed->data[j] == 0.0) share += weights[j];
  }
  return share;
}

void tell_of_the_scale(Telling& lesson, const Trace& trace, const Alone& alone) {
  const double scale = trace.settings().scale.number;
  if (scale <= 0.0 || scale >= 1.0) return;
  lesson.say(
      "One more choice. Is it softmax(Q·Kᵀ/√d_k + mask), or softmax((Q·Kᵀ + mask)/√d_k), with the "
      "mask before the scaling?");
  lesson.ask("Does the order matter if hidden scores get −∞? And if they get −10?",
             "−∞ times any scale is −∞. But −10 becomes −" + lesson.number(10.0 * scale) +
                 ", and hides less.");
  Table table{{"added to hidden scores", "hidden share, mask last", "mask before the scaling"}, {}};
  for (const auto& [name, fill] : {std::pair{"−∞", kEndless}, {"−1e9", -1e9}, {"−10", -10.0}}) {
    table.rows.push_back({name, lesson.number(leaked(alone, fill, false)),
                          lesson.number(leaked(alone, fill, true))});
  }
  lesson.table(table);
  lesson.claim(
      "With −∞, the order makes no difference.",
      alone.weights(MaskingMode::Add) == alone.weights(MaskingMode::Add, 0.0, kEndless, true));
  lesson.claim("With −10, the hidden keys get more if the mask comes before the scaling.",
               leaked(alone, -10.0, true) > leaked(alone, -10.0, false));
}

/// The problem with this way of hiding; if it has no mask, later keys are hidden.
ProblemDraft masked_by(const Telling& lesson, MaskingMode mode) {
  ProblemDraft draft = lesson.draft();
  draft.masking = mode;
  draft.fill.reset();
  draft.mask_before_scale = false;
  draft.empty_row = EmptyRow::Zero;
  if (draft.masks.empty() && !draft.allowed) draft.masks = {parse_mask("causal")};
  return draft;
}

void tell_maskings_to_try(Telling& lesson) {
  const ProblemDraft& draft = lesson.draft();
  const bool has_mask = !draft.masks.empty() || draft.allowed;
  const std::string explain = std::string("explain {}") + (has_mask ? "" : " --mask causal");
  const auto by = [=](MaskingMode mode) {
    return [=](ProblemDraft& changed) {
      if (!has_mask) changed.masks = {parse_mask("causal")};
      changed.masking = mode;
    };
  };
  lesson.next(explain + " --masking add --only", "−∞ before softmax", by(MaskingMode::Add));
  lesson.next(explain + " --masking multiply --only", "0 and 1 after it",
              by(MaskingMode::Multiply));
  lesson.next(explain + " --masking renormalize --only", "divided by the sums",
              by(MaskingMode::Renormalize));
  const bool is_added = acts_before_softmax(draft.masking);
  lesson.next(explain + (is_added ? "" : " --masking add") + " --fill -10 --only",
              "−10 instead of −∞", [=](ProblemDraft& changed) {
                by(MaskingMode::Add)(changed);
                changed.fill = -10.0;
              });
}

}  // namespace

void tell_add_or_multiply(Telling& lesson) {
  const auto masked = [&](MaskingMode mode) { return computed(masked_by(lesson, mode)); };
  const auto add = masked(MaskingMode::Add), multiply = masked(MaskingMode::Multiply);
  const auto again = masked(MaskingMode::Renormalize);
  const std::optional<Cell> query = most_tempted(*multiply);
  lesson.needs(query.has_value(), "a query that sees some keys and not others");
  lesson.needs(
      !lesson.draft().softcap && !lesson.draft().bias && !is_bias(lesson.draft().positions.kind),
      "scores without a softcap or a bias");
  const Followed row = followed(*multiply, *query);
  const auto shared = first_weights(*multiply, multiply->attention())
                          ->value.row(query->batch, query->head, query->row);
  const Alone alone(*add, row);
  lesson.needs(std::abs(alone.length_of_q_squared) > 1e-6, "a query that is not 0");
  View one;
  one.batch = one.head = 0;

  lesson.say(
      "A hidden key must get no weight. A mask can see to that before softmax or after it. Before: "
      "add −∞ to the score of a hidden key, and 0 to the others. e^−∞ = 0, and softmax shares "
      "everything among the visible keys.");
  lesson.beside(add, add->last_weights()->id, "−∞ added before softmax", one);
  lesson.claim("Hidden keys get exactly 0, and every row that sees a key adds up to 1.",
               all_rows_whole(*add));
  lesson.say(
      "After: let softmax share among all keys, then multiply the weights by a matrix of 1 and 0.");
  lesson.ask("In the row of " + row.token + ", softmax gives the hidden keys " +
                 lesson.number(sum(shared) - sum(row.weights)) +
                 " in all. What do the others add up to after the multiplication?",
             lesson.number(sum(row.weights)) + ": no key takes up what the hidden ones had.");
  lesson.beside(multiply, multiply->last_weights()->id, "0 and 1 multiplied after softmax", one);
  lesson.claim("Hidden keys get 0 here too, but the row of " + row.token +
                   " no longer adds up to 1: its output shrinks.",
               sum(row.weights) < 1.0 && !is_close(sum(row.weights), 1.0));

  tell_of_the_leak(lesson, row, alone);
  tell_of_gradients(lesson, *query, masked_by(lesson, MaskingMode::Add));
  tell_of_the_repair(lesson, *add, *again, alone);
  tell_of_the_scale(lesson, *add, alone);

  tell_maskings_to_try(lesson);
}

}  // namespace attn
