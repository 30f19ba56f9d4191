// Says why a cell is hidden, in sentences.
#include <cctype>
#include <optional>

#include "render/story/cell_names.hpp"
#include "render/story/cell_remarks.hpp"

namespace attn {
namespace {

Index rows_of(const Trace& trace, const Scope& scope, StepRole role) {
  const Step* step = trace.first_of(role, scope);
  return step == nullptr ? 0 : step->value.rows();
}

/// The position of query 0 among the keys; nothing if it follows from key lengths, which a trace
/// does not keep.
std::optional<Index> offset_of(const Trace& trace, const Scope& scope) {
  const Settings& s = scope.settings;
  if (s.align == Align::KeyLengths) return std::nullopt;
  if (s.align == Align::Start) return rows_of(trace, scope, StepRole::Past);
  return s.n_keys - rows_of(trace, scope, StepRole::Extra) - s.n_queries;
}

std::string positions_text(const Trace& trace, const Step& step, const Cell& cell) {
  const std::string query = "Query " + quoted_row(step, cell);
  const std::string key = "key " + quoted_col(step, cell);
  const std::optional<Index> offset = offset_of(trace, *step.scope);
  if (!offset)
    return query + " is row " + std::to_string(cell.row) + ", " + key + " is column " +
           std::to_string(cell.col) + ".";
  return query + " stands at position " + std::to_string(cell.row + *offset) + ", " + key + " at " +
         std::to_string(cell.col) + ".";
}

}  // namespace

std::string why_hidden(const Trace& trace, const Step& step, const Cell& cell) {
  std::string text = hidden_text(trace, step, cell);
  if (text.empty()) return text;
  if (text == kPaddedQuery)
    return "Query " + quoted_row(step, cell) + " is padding: its weights are set to zero.";
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ". " + positions_text(trace, step, cell);
}

}  // namespace attn
