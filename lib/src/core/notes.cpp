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
  if (std::isnan(row(0))) return "its weights are NaN (empty_row: nan)";
  if (row.isZero(0.0)) return "its weights are all zero";
  if (!(row.array() == row(0)).all()) return "its weights are not meaningful";
  const std::string share = "its weights are all 1/" + std::to_string(row.size());
  return share +
         (policy == EmptyRow::Uniform ? " (empty_row: uniform)" : ", as the fill makes them");
}

const Tensor& last_weights(const Trace& trace) {
  for (const char* id : {"query_masked_weights", "renormalized_weights", "masked_weights"}) {
    if (const Step* step = trace.find(id)) return step->value;
  }
  return trace.value("weights");
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
  for (const EmptyQuery& empty : problem.empty_queries) {
    trace.notes.push_back(empty_query_text(problem, empty) + ": " +
                          effect(last_weights(trace), empty, problem.empty_row));
  }
  note_overflow(trace);
}

}  // namespace attn
