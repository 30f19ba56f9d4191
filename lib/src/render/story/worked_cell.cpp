// Chooses cells that teach something, and works them out.
#include "render/story/worked_cell.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/trace/hidden_cells.hpp"
#include "render/story/cell_names.hpp"
#include "render/story/cell_remarks.hpp"
#include "render/story/step_grids.hpp"

namespace attn {
namespace {

bool tells(double x) { return std::isfinite(x) && x != 0.0 && x != 1.0; }

/// The computed steps that have one number for each query and key.
std::vector<const Step*> pairwise_steps(const Trace& trace) {
  std::vector<const Step*> steps;
  for (const Step& step : trace.steps) {
    if (step.info().is_pairwise() && !step.is_given()) steps.push_back(&step);
  }
  return steps;
}

/// The first cell from `start` on, row by row, whose number teaches something; `start` if none.
Cell telling_cell(const Tensor& t, const Cell& start, bool only_row) {
  for (Index i = 0; i < (only_row ? 1 : t.rows()); ++i) {
    for (Index c = 0; c < t.cols(); ++c) {
      const Cell cell{start.batch, start.head, (start.row + i) % t.rows(), c};
      if (tells(t.at(cell))) return cell;
    }
  }
  return start;
}

/// A hidden cell, of the focus's query if possible.
std::optional<Cell> hidden_cell(const Trace& trace, const Step& step, const Cell& focus) {
  const Index rows = step.value.rows();
  const HiddenCells hidden(trace, *step.scope);
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < step.value.cols(); ++c) {
      const Cell cell{focus.batch, focus.head, (focus.row + i) % rows, c};
      if (hidden(cell)) return cell;
    }
  }
  return std::nullopt;
}

}  // namespace

Focus choose_focus(const Trace& trace, const View& view) {
  Focus best;
  const Step* step = first_weights(trace, trace.scope());
  if (step == nullptr) return best;  // a trace that was written with --steps
  const Tensor& weights = step->value;
  const std::vector<GridChoice> grids = chosen_grids(*step, view);
  if (grids.empty()) return best;
  const GridChoice& grid = grids.front();
  best = {grid.batch, grid.head, grid.row.value_or(0), 0, grid.row.has_value()};
  const std::vector<const Step*> steps = pairwise_steps(trace);
  std::size_t most = 0;
  for (Index i = 0; i < (best.only_row ? 1 : weights.rows()); ++i) {
    const Index row = grid.row.value_or((i + 1) % weights.rows());
    for (Index c = 0; c < weights.cols(); ++c) {
      const Cell cell{grid.batch, grid.head, row, c};
      const auto count = static_cast<std::size_t>(std::count_if(
          steps.begin(), steps.end(), [&](const Step* s) { return tells(s->value.at(cell)); }));
      if (count <= most) continue;
      most = count;
      best.query = row;
      best.key = c;
      if (most == steps.size()) return best;
    }
  }
  return best;
}

Cell focus_cell(const Trace& trace, const Step& step, const Focus& focus) {
  const Tensor& t = step.value;
  Cell cell{focus.batch, focus.head * t.heads() / step.scope->settings.heads, focus.query,
            focus.key};
  if (step.info().is_pairwise()) {
    if (step.info().role != StepRole::MaskedScores) return cell;
    return hidden_cell(trace, step, cell).value_or(cell);
  }
  if (step.info().row_axis == std::string_view("key") || step.info().role == StepRole::KeyInput) {
    const Step* past = trace.first_of(StepRole::Past, *step.scope);
    const bool only_new = past != nullptr && t.rows() != step.scope->settings.n_keys;
    cell.row = std::clamp<Index>(focus.key - (only_new ? past->value.rows() : 0), 0, t.rows() - 1);
  }
  cell.col = 0;
  return telling_cell(t, cell, focus.only_row);
}

CellOrigin origin_of(const Trace& trace, const Step& step, const Cell& cell) {
  CellOrigin origin{{{&step, cell}}, derive(trace, step, cell)};
  while (origin.how.kind == Expression::Kind::Leaf) {
    const Step& copied = *origin.copies.back().step;
    const auto input = static_cast<std::size_t>(origin.how.input);
    const Step& source = trace.input(copied, input);
    origin.copies.push_back({&source, origin.how.cell});
    origin.how = derive(trace, source, origin.how.cell);
  }
  return origin;
}

std::string head_text(const Step& step, const Cell& cell) {
  const Shape& shape = step.value.shape();
  if (!shape.heads) return "";
  const bool shared = *shape.heads != step.scope->settings.heads;
  return (shared ? "kv head " : "head ") + std::to_string(cell.head);
}

Worked worked_cell(const Trace& trace, const CellOrigin& origin, std::string head) {
  Worked worked;
  for (const StepCell& place : origin.copies) {
    std::string name = cell_name(*place.step, place.cell);
    const std::string own = head_text(*place.step, place.cell);
    if (!own.empty() && own != head) {
      name += " of " + own;
      head = own;
    }
    worked.cells.push_back({place.step->id, place.cell, std::move(name)});
  }
  const StepCell& own = origin.copies.front();
  const Step& last = *origin.copies.back().step;
  worked.how = origin.how;
  worked.inputs = last.inputs;
  worked.result = own.step->value.at(own.cell);
  worked.remark = hidden_text(trace, *own.step, own.cell);
  if (worked.remark.empty() && last.is_given()) worked.remark = given_text(last);
  return worked;
}

}  // namespace attn
