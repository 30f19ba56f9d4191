// Works out a whole row as a sum of rows: O[cat] = A[cat, the]·V[the] + …
#include "render/story/explain_row.hpp"

#include <optional>

#include "core/trace/hidden_cells.hpp"
#include "render/story/cell_names.hpp"

namespace attn {
namespace {

std::vector<double> numbers_of(const Step& step, Cell cell) {
  std::vector<double> row;
  for (cell.col = 0; cell.col < step.value.cols(); ++cell.col) row.push_back(step.value.at(cell));
  return row;
}

bool is_leaf(const Expression& how) { return how.kind == Expression::Kind::Leaf; }

/// The term of a row in which `first` and `second` are the same part of the first two cells;
/// nothing if the row is not a sum of rows.
std::optional<RowTerm> row_term(const Trace& trace, const Step& step, const Expression& first,
                                const Expression& second) {
  const bool product = first.kind == Expression::Kind::Product && first.parts.size() == 2;
  const Expression& row = product ? first.parts[1] : first;
  const Expression& next = product ? second.parts.at(1) : second;
  if (!is_leaf(row) || row.cell.col != 0 || next.cell.col != 1) return std::nullopt;
  const Step& source = trace.input(step, static_cast<std::size_t>(row.input));
  const bool has_rows = source.info().row_axis != std::string_view("1");
  RowTerm term{{},
               1.0,
               has_rows ? row_name(source, row.cell) : step_name(source),
               numbers_of(source, row.cell)};
  if (!product) return term;
  const Expression& factor = first.parts[0];
  if (!is_leaf(factor) || factor.cell != second.parts[0].cell) return std::nullopt;
  const Step& weights = trace.input(step, static_cast<std::size_t>(factor.input));
  term.factor = {weights.id, factor.cell, cell_name(weights, factor.cell)};
  term.weight = factor.value;
  return term;
}

bool is_taken_out(const Trace& trace, const Step& step, const Expression& term) {
  if (term.kind != Expression::Kind::Product || !is_leaf(term.parts[0])) return false;
  const Step& weights = trace.input(step, static_cast<std::size_t>(term.parts[0].input));
  return term.parts[0].value == 0.0 && shows_hidden(trace, weights) &&
         is_hidden(trace, weights, term.parts[0].cell);
}

/// The terms of a row; none if it is not a sum of rows.
std::vector<RowTerm> terms_of(const Trace& trace, const Step& step, Cell cell) {
  cell.col = 0;
  if (step.value.cols() < 2) return {};
  const Expression first = derive(trace, step, cell);
  cell.col = 1;
  const Expression second = derive(trace, step, cell);
  if (first.kind != Expression::Kind::Sum || second.parts.size() != first.parts.size()) return {};
  std::vector<RowTerm> terms;
  for (std::size_t i = 0; i < first.parts.size(); ++i) {
    if (is_taken_out(trace, step, first.parts[i])) continue;
    const auto term = row_term(trace, step, first.parts[i], second.parts[i]);
    if (!term) return {};
    terms.push_back(*term);
  }
  return terms;
}

}  // namespace

std::vector<Worked> worked_row(const Trace& trace, const StepCell& place) {
  std::vector<StepCell> copies{place};
  while (copies.back().step->operation->copies && can_derive(trace, *copies.back().step))
    copies.push_back({&trace.input(*copies.back().step, 0), place.cell});
  Worked whole;
  whole.terms = terms_of(trace, *copies.back().step, place.cell);
  if (whole.terms.empty()) {
    std::vector<Worked> cells;
    Cell first = place.cell;
    first.col = 0;
    const std::string head = head_text(*place.step, place.cell);
    for (Cell cell = first; cell.col < place.step->value.cols(); ++cell.col)
      cells.push_back(worked_cell(trace, origin_of(trace, *place.step, cell), head));
    return cells;
  }
  for (const StepCell& each : copies)
    whole.cells.push_back({each.step->id, each.cell, row_name(*each.step, each.cell)});
  whole.row = numbers_of(*place.step, place.cell);
  return {whole};
}

}  // namespace attn
