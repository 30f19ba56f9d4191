#include "render/worked.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "render/arithmetic.hpp"
#include "render/grids.hpp"
#include "render/labels_of.hpp"
#include "render/remarks.hpp"

namespace attn {
namespace {

bool tells(double x) { return std::isfinite(x) && x != 0.0 && x != 1.0; }

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

CellOrigin origin_of(const Trace& trace, const Step& step, const Cell& cell) {
  CellOrigin origin{{{&step, cell}}, derive(trace, step, cell)};
  while (origin.how.kind == Expression::Kind::Leaf) {
    const Step& copied = *origin.copies.back().step;
    const auto input = static_cast<std::size_t>(origin.how.input);
    const Step& source = *trace.find(copied.inputs[input]);
    origin.copies.push_back({&source, origin.how.cell});
    origin.how = derive(trace, source, origin.how.cell);
  }
  return origin;
}

std::string head_text(const Trace& trace, const Step& step, const Cell& cell) {
  const Shape& shape = step.value.shape();
  if (!shape.heads) return "";
  const bool shared = *shape.heads != trace.settings.heads;
  return (shared ? "kv head " : "head ") + std::to_string(cell.head);
}

Worked worked_cell(const Trace& trace, const CellOrigin& origin, int precision,
                   std::size_t most_terms, std::string head) {
  Worked worked;
  for (const StepCell& place : origin.copies) {
    std::string name = cell_name(trace, *place.step, place.cell);
    const std::string own = head_text(trace, *place.step, place.cell);
    if (!own.empty() && own != head) {
      name += " of " + own;
      head = own;
    }
    worked.stages.push_back(name);
  }
  if (!origin.how.parts.empty()) {
    for (std::string& stage : arithmetic_stages(origin.how, precision, most_terms))
      worked.stages.push_back(std::move(stage));
  }
  const StepCell& own = origin.copies.front();
  worked.stages.push_back(short_number(own.step->value.at(own.cell), precision));
  worked.remark = hidden_text(trace, *own.step, own.cell);
  const Step& last = *origin.copies.back().step;
  if (worked.remark.empty() && last.op == Op::Given) worked.remark = given_text(last);
  return worked;
}

}  // namespace attn
