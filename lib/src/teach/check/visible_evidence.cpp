// What is visible in a wrong matrix and should be hidden, or the other way round.
#include <cmath>
#include <set>
#include <utility>

#include "attn/phrases.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/check/evidence.hpp"

namespace attn {
namespace {

/// Whether a number hides its key, in a matrix of this role.
bool is_hiding(StepRole role, double x) {
  return role == StepRole::MaskedScores ? x <= kHides : x == 0.0;
}

/// Wrong cells that are all visible, or all hidden.
struct Mistaken {
  Index cells = 0;
  Cell first = {};
  std::set<std::pair<Index, Index>> keys = {};  ///< batch entry, column

  void add(const Cell& cell) {
    if (cells++ == 0) first = cell;
    keys.emplace(cell.batch, cell.col);
  }
};

/// "2 keys that the mask hides are visible; the first is key "on" of batch entry 1."
std::string said_of(const Mistaken& found, const Step& step, const std::string& does,
                    const std::string& is) {
  const Tensor& t = step.value;
  const auto keys = std::ssize(found.keys);
  const bool whole = found.cells == keys * t.rows() * t.heads();
  const Index n = whole ? keys : found.cells;
  const Cell& first = found.first;
  std::string text = counted(n, whole ? "key" : "cell") + " that the mask " + does +
                     (n == 1 ? " is " : " are ") + is +
                     (n == 1 ? ": key " : "; the first is key ") +
                     quoted_name(name_of_col(step, first), first.col);
  if (!whole) text += " of query " + quoted_name(name_of_row(step, first), first.row);
  if (!whole) return text + in_slice(t, first) + ".";
  return text + (t.batch() > 1 ? " of batch entry " + std::to_string(first.batch) : "") + ".";
}

Said visible_or_hidden(const Case& known, const GradedAnswer& judged) {
  const Step& step = *judged.step;
  const StepRole role = step.info().role;
  const HiddenCells hidden_in(known.truth, *step.scope);
  const Tensor& t = *judged.theirs;
  Mistaken visible, hidden;
  for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
    const double theirs = t.data()[i];
    if (judged.report.cells[i] != CellVerdict::Wrong || std::isnan(theirs)) continue;
    const Cell cell = t.shape().cell_at(static_cast<Index>(i));
    const bool hides = role == StepRole::Mask ? step.value.data()[i] == 0.0 : hidden_in(cell);
    if (hides == is_hiding(role, theirs)) continue;
    (hides ? visible : hidden).add(cell);
  }
  if (!step.scope->visibility) return {};
  if (role == StepRole::Weights && hidden.cells == 1) hidden.cells = 0;  // a weight like any other
  std::string said;
  if (visible.cells > 0) said = said_of(visible, step, "hides", "visible");
  if (hidden.cells > 0) {
    said += (said.empty() ? "" : " ") + said_of(hidden, step, "shows", "hidden");
  }
  return said.empty() ? Said() : Said(said);
}

}  // namespace

Said zeros_of_weights(const Case& known, const GradedAnswer& judged) {
  if (judged.step->info().role != StepRole::Weights) return {};
  return visible_or_hidden(known, judged);
}

Said visible_in_mask(const Case& known, const GradedAnswer& judged) {
  const StepRole role = judged.step->info().role;
  if (role != StepRole::Mask && role != StepRole::MaskedScores) return {};
  return visible_or_hidden(known, judged);
}

}  // namespace attn
