#include <algorithm>
#include <cmath>
#include <limits>

#include "core/build.hpp"
#include "core/parameters.hpp"

namespace attn {
namespace {

/// What the weights of an empty row turned out to be.
std::string effect(const Tensor& weights, const EmptyQuery& empty, EmptyRow policy) {
  const auto slice = weights.slice(empty.batch, empty.heads.front());
  const auto row = slice.row(empty.query);
  if (std::isnan(row(0))) return "NaN (empty_row: nan)";
  if (row.isZero(0.0)) return "all zero";
  if (!(row.array() == row(0)).all()) return "not meaningful";
  const std::string share = "all 1/" + std::to_string(row.size());
  return share +
         (policy == EmptyRow::Uniform ? " (empty_row: uniform)" : ", as the fill makes them");
}

const Tensor& last_weights(const Trace& trace) {
  for (auto step = trace.steps.rbegin(); step != trace.steps.rend(); ++step) {
    if (step->info().role == StepRole::Weights) return step->value;
  }
  return trace.value("weights");
}

/// Empty queries that follow each other and fare the same share one note.
void note_empty_queries(Trace& trace, const Problem& p) {
  const Tensor& weights = last_weights(trace);
  const auto& all = p.empty_queries;
  for (std::size_t i = 0; i < all.size();) {
    const std::string what = effect(weights, all[i], p.empty_row);
    std::size_t end = i + 1;
    while (end < all.size() && all[end].batch == all[i].batch && all[end].heads == all[i].heads &&
           all[end].query == all[end - 1].query + 1 &&
           effect(weights, all[end], p.empty_row) == what) {
      ++end;
    }
    const bool one = end == i + 1;
    trace.notes.push_back(empty_queries_text(p, all[i], all[end - 1].query) + ": " +
                          (one ? "its" : "their") + " weights are " + what);
    i = end;
  }
}

void note_overflow(Trace& trace) {
  for (const Step& step : trace.steps) {
    const auto& numbers = step.value.data();
    const bool overflowed = std::any_of(numbers.begin(), numbers.end(), [](double x) {
      return x == std::numeric_limits<double>::infinity();
    });
    if (!overflowed) continue;
    trace.notes.push_back("step " + step.id +
                          " holds a number too large to be computed (∞): what follows from it is "
                          "not meaningful; use smaller embeddings or weights");
    return;
  }
}

}  // namespace

void note_numbers(Trace& trace, const Problem& problem) {
  note_empty_queries(trace, problem);
  note_overflow(trace);
}

}  // namespace attn
