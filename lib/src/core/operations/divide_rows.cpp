// Each row divided by its own number.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  return by_rows(call[0], call[1], [&](std::span<double> row, double divisor) {
    if (divisor == 0.0) {
      std::fill(row.begin(), row.end(), empty_value(call.parameters, std::ssize(row)));
    } else {
      for (double& x : row) x /= divisor;
    }
  });
}

Expression derive(const Call& call, const Cell& cell) {
  const Cell row{cell.batch, cell.head, cell.row, 0};
  if (call[1].at(row) == 0.0) return empty_weight(call.parameters, call[0].cols());
  return quotient(leaf(call[0], 0, cell), leaf(call[1], 1, row));
}

constexpr ParameterField kFields[] = {kEmptyRowField};

std::vector<Share> backward(const Differentiated& step) {
  return {{0, &divide_rows, {step.gradient, step.inputs[1]}, {{"empty_row", std::string("zero")}}},
          {1, &divisor_gradient, {step.gradient, step.id, step.inputs[1]}}};
}

}  // namespace

const Operation divide_rows{
    .name = "divide_rows",
    .formula = {"{0} / {1}", "{0} / {1}"},
    .shape_rule = kByRows,
    .evaluate = evaluate,
    .derive = derive,
    .fields = kFields,
    .backward = backward,
    .gradient_why = "A quotient changes with its numerator by 1 / divisor."};

}  // namespace attn::ops
