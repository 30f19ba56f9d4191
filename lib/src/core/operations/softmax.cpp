// e^x / Σ e^x over each row; over columns or the whole matrix as a known mistake.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/dtype.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Softmax of some numbers, in place.
void softmax_in_place(std::span<double> numbers, const Parameters& p) {
  const double largest = largest_of(numbers);
  if (largest == -kInfinity) {
    std::fill(numbers.begin(), numbers.end(), empty_value(p, std::ssize(numbers)));
    return;
  }
  double total = 0.0;
  for (double& x : numbers) total += x = shifted_exp(x, largest);
  for (double& x : numbers) x /= total;
}

/// The same for a column, whose numbers are not next to each other.
void softmax_of_column(Tensor& y, Cell cell, const Parameters& p) {
  std::vector<double> column;
  for (cell.row = 0; cell.row < y.rows(); ++cell.row) column.push_back(y.at(cell));
  softmax_in_place(column, p);
  for (cell.row = 0; cell.row < y.rows(); ++cell.row)
    y.at(cell) = column[static_cast<std::size_t>(cell.row)];
}

/// The same by the operations of softmax in separate steps, each result rounded: in a narrow type
/// the order of roundings matters.
Tensor in_steps(const Call& call, Dtype dtype) {
  const Shape column = column_of(call.shape);
  const Tensor m = rounded(row_max.evaluate({call.inputs, {}, column}), dtype);
  const Tensor e =
      rounded(exp_shifted.evaluate({std::array{call.inputs[0], &m}, {}, call.shape}), dtype);
  const Tensor r = rounded(row_sum.evaluate({std::array{&e}, {}, column}), dtype);
  return divide_rows.evaluate({std::array{&e, &r}, call.parameters, call.shape});
}

Tensor evaluate(const Call& call) {
  const Parameters& p = call.parameters;
  const std::string& over = p.word("over");
  const Dtype dtype = find_dtype(p.word("dtype")).value_or(Dtype::Float64);
  if (dtype != Dtype::Float64 && over == "rows") return in_steps(call, dtype);
  Tensor y = call[0];
  for_each_slice(y, [&](Index b, Index h) {
    if (over == "matrix") softmax_in_place(y.matrix(b, h), p);
    for (Index c = 0; over == "columns" && c < y.cols(); ++c) softmax_of_column(y, {b, h, 0, c}, p);
    for (Index r = 0; over == "rows" && r < y.rows(); ++r) softmax_in_place(y.row(b, h, r), p);
  });
  return y;
}

/// The cells that share a sum with `cell`: its row, its column, or its whole matrix.
std::vector<Cell> companions(const Tensor& x, const std::string& over, const Cell& cell) {
  std::vector<Cell> cells;
  for (Index r = 0; r < x.rows(); ++r) {
    if (over == "rows" && r != cell.row) continue;
    for (Index c = 0; c < x.cols(); ++c) {
      if (over == "columns" && c != cell.col) continue;
      cells.push_back({cell.batch, cell.head, r, c});
    }
  }
  return cells;
}

Expression derive(const Call& call, const Cell& cell) {
  const Tensor& x = call[0];
  std::vector<Expression> visible;
  double largest = -kInfinity;
  const std::vector<Cell> cells = companions(x, call.parameters.word("over"), cell);
  for (const Cell& each : cells) {
    if (x.at(each) == -kInfinity) continue;
    visible.push_back(leaf(x, 0, each));
    largest = std::max(largest, x.at(each));
  }
  if (visible.empty()) return empty_weight(call.parameters, std::ssize(cells));
  if (x.at(cell) == -kInfinity) return constant(0.0);

  // Far from 0 the exponentials overflow on paper too: subtract the largest, as the machine does.
  const bool shift = std::abs(largest) > 20.0;
  const auto term = [&](Expression score) {
    return exponential(shift ? sum({std::move(score), constant(-largest)}) : std::move(score));
  };
  std::vector<Expression> terms;
  for (Expression& score : visible) terms.push_back(term(std::move(score)));
  return quotient(term(leaf(x, 0, cell)), sum(std::move(terms)));
}

FormulaPattern formula_for(const Parameters& p) {
  if (p.word("over") == "columns")
    return {"softmax of each column of {0}", "\\operatorname{softmax}_{\\text{columns}}({0})"};
  if (p.word("over") == "matrix")
    return {"softmax of all of {0}", "\\operatorname{softmax}_{\\text{all}}({0})"};
  return softmax.formula;
}

bool over_rows(const Parameters& p) { return p.word("over") == "rows"; }

constexpr const char* kOver[] = {"rows", "columns", "matrix"};
constexpr ParameterField kFields[] = {
    {.name = "over",
     .kind = ParameterField::Kind::Word,
     .summary = "what adds up to 1; anything but rows is a known mistake",
     .words = kOver},
    kEmptyRowField,
    {.name = "dtype",
     .kind = ParameterField::Kind::Word,
     .summary = "what its inner results are rounded to, over rows",
     .words = kDtypeNames}};

}  // namespace

const Operation softmax{.name = "softmax",
                        .formula = {"softmax({0})", "\\operatorname{softmax}({0})"},
                        .shape_rule = kLikeInput,
                        .evaluate = evaluate,
                        .derive = derive,
                        .fields = kFields,
                        .formula_for = formula_for,
                        .sums_over_keys = over_rows};

}  // namespace attn::ops
