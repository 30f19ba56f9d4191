// What the numbers of a computation make worth saying.
#include "core/attention/number_notes.hpp"

#include <algorithm>
#include <cmath>

#include "core/problem/build.hpp"

namespace attn {
namespace {

/// What the weights of an empty row turned out to be.
std::string effect(const Tensor& weights, const EmptyQuery& empty, EmptyRow policy) {
  const auto row = weights.row(empty.batch, empty.heads.front(), empty.query);
  const auto all = [&](double x) {
    return std::all_of(row.begin(), row.end(), [&](double each) { return each == x; });
  };
  if (std::isnan(row.front())) return "NaN (empty_row: nan)";
  if (all(0.0)) return "all zero";
  if (!all(row.front())) return "not meaningful";
  const std::string share = "all 1/" + std::to_string(row.size());
  return share +
         (policy == EmptyRow::Uniform ? " (empty_row: uniform)" : ", as the fill makes them");
}

/// A mask without effect is probably a mistake.
void note_idle_masks(Trace& trace, const ProblemFacts& p) {
  if (!p.visibility) return;
  for (const std::string& name : p.visibility->idle) {
    trace.notes.push_back(
        "mask " + name + " hides nothing" +
        (name == "padding" ? ": no key is called <pad> or [PAD], or is all zero" : ""));
  }
}

/// Empty queries that follow each other and fare the same share one note.
void note_empty_queries(Trace& trace, const ProblemFacts& p) {
  const Step* step = trace.last_weights();
  if (step == nullptr) return;
  const Tensor& weights = step->value;
  const auto& all = p.empty_queries;
  for (std::size_t i = 0; i < all.size();) {
    const std::string what = effect(weights, all[i], p.empty_row);
    std::size_t end = i + 1;
    while (end < all.size() && follows(all[end - 1], all[end]) &&
           effect(weights, all[end], p.empty_row) == what) {
      ++end;
    }
    const bool one = end == i + 1;
    trace.notes.push_back(empty_queries_text(p, all[i], all[end - 1].query) + ": " +
                          (one ? "its" : "their") + " weights are " + what);
    i = end;
  }
}

/// −∞ may hide a key and NaN may fill an empty row; anything else that is not finite was too large.
bool overflowed(const Step& step, const ProblemFacts& p) {
  const StepRole role = step.info().role;
  const bool hides =
      role == StepRole::Bias || role == StepRole::MaskedScores || role == StepRole::RowMaximum;
  const bool fills = p.empty_row == EmptyRow::Nan && !p.empty_queries.empty();
  const auto& numbers = step.value.data();
  return std::any_of(numbers.begin(), numbers.end(), [&](double x) {
    if (std::isnan(x)) return !fills;
    return std::isinf(x) && (x > 0.0 || !hides);
  });
}

/// The first step or given that overflowed is the cause of what follows.
void note_overflow(Trace& trace, const ProblemFacts& p) {
  for (const auto* steps : {&trace.givens, &trace.steps}) {
    for (const Step& step : *steps) {
      if (!overflowed(step, p)) continue;
      trace.notes.push_back((is_step_id(step.id) ? "step " : "") + step.id +
                            " holds a number too large to be computed (∞ or NaN): what follows "
                            "from it is not meaningful; use smaller embeddings or weights");
      return;
    }
  }
}

}  // namespace

void note_numbers(Trace& trace, const ProblemFacts& problem) {
  note_idle_masks(trace, problem);
  note_empty_queries(trace, problem);
  note_overflow(trace, problem);
}

}  // namespace attn
