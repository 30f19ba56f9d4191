#include "render/worked.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "render/arithmetic.hpp"
#include "render/grids.hpp"
#include "render/labels_of.hpp"

namespace attn {
namespace {

bool tells(double x) { return std::isfinite(x) && x != 0.0 && x != 1.0; }

bool is_pairwise(const Step& step) { return step.info().col_axis == std::string_view("key"); }

/// How many of the steps about this query and key show a number that teaches something.
int telling_steps(const Trace& trace, const Cell& cell) {
  int count = 0;
  for (const Step& step : trace.steps) {
    if (is_pairwise(step) && step.op != Op::Given) count += tells(step.value.at(cell)) ? 1 : 0;
  }
  return count;
}

/// The first column of that row whose number teaches something.
Index telling_column(const Tensor& t, const Cell& cell) {
  for (Index c = 0; c < t.cols(); ++c) {
    if (tells(t.at({cell.batch, cell.head, cell.row, c}))) return c;
  }
  return 0;
}

/// A hidden cell, of the focus's query if possible.
std::optional<Cell> hidden_cell(const Trace& trace, const Step& step, const Cell& focus) {
  const Index rows = step.value.rows();
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < step.value.cols(); ++c) {
      const Cell cell{focus.batch, focus.head, (focus.row + i) % rows, c};
      if (is_hidden(trace, cell)) return cell;
    }
  }
  return std::nullopt;
}

std::string hidden_reason(const Trace& trace, const Step& step, const Cell& cell) {
  if (step.op == Op::KeepRows) {
    const Cell row{cell.batch, cell.head, cell.row, 0};
    if (trace.value(step.inputs[1]).at(row) == 0.0) return "this query is padding";
  }
  const bool about_hiding = step.info().role != StepRole::Plain || step.id == "mask";
  if (!is_pairwise(step) || !about_hiding || !is_hidden(trace, cell)) return "";
  const Step* mask = trace.find("mask");
  if (mask == nullptr || mask->value.at(cell) != 0.0) return "hidden by the bias: −∞ is added";
  return hider_text(trace, cell);
}

}  // namespace

Focus choose_focus(const Trace& trace, const View& view) {
  Focus best;
  const Step* step = trace.find("weights");
  if (step == nullptr) return best;  // a trace that was written with --steps
  const Tensor& weights = step->value;
  const std::vector<GridChoice> grids = chosen_grids(trace, *step, view);
  if (grids.empty()) return best;
  const GridChoice& grid = grids.front();
  best = {grid.batch, grid.head, grid.row.value_or(0), 0};
  int most = -1;
  for (Index i = 0; i < weights.rows(); ++i) {
    const Index row = grid.row.value_or((i + 1) % weights.rows());
    for (Index c = 0; c < weights.cols(); ++c) {
      const int count = telling_steps(trace, {grid.batch, grid.head, row, c});
      if (count <= most) continue;
      most = count;
      best = {grid.batch, grid.head, row, c};
    }
    if (grid.row) break;
  }
  return best;
}

Cell focus_cell(const Trace& trace, const Step& step, const Focus& focus) {
  const Tensor& t = step.value;
  Cell cell{focus.batch, focus.head * t.heads() / trace.settings.heads, focus.query, focus.key};
  if (is_pairwise(step)) {
    if (step.info().role != StepRole::MaskedScores) return cell;
    return hidden_cell(trace, step, cell).value_or(cell);
  }
  if (step.info().row_axis == std::string_view("key") || step.id == "memory") {
    const Step* past = trace.find("past_k");
    const bool only_new = past != nullptr && t.rows() != trace.settings.n_keys;
    cell.row = std::clamp<Index>(focus.key - (only_new ? past->value.rows() : 0), 0, t.rows() - 1);
  }
  cell.col = telling_column(t, cell);
  return cell;
}

std::string worked_text(const Trace& trace, const Step& step, const Cell& cell, int precision,
                        std::size_t most_terms) {
  const Expression how = derive(trace, step, cell);
  std::string text = cell_name(trace, step, cell) + " = ";
  if (how.kind == Expression::Kind::Leaf) {
    const Step& source = *trace.find(step.inputs[static_cast<std::size_t>(how.input)]);
    text += cell_name(trace, source, how.cell) + " = ";
  } else if (!how.parts.empty()) {
    text += arithmetic_text(how, precision, most_terms) + " = ";
  }
  text += short_number(step.value.at(cell), precision);
  const std::string reason = hidden_reason(trace, step, cell);
  return reason.empty() ? text : text + "   (" + reason + ")";
}

}  // namespace attn
