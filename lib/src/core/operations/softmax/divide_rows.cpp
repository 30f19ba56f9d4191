// Each row divided by its own number.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

void write_divide_rows(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r)
    divide(call[0].row(r), call[1].row(r).front(), call.parameters, call.result.row(r));
}

Expression derive_divide_rows(const Call& call, const Cell& cell) {
  const Cell row{cell.batch, cell.head, cell.row, 0};
  if (call[1].at(row) == 0.0) return empty_weight(call.parameters, call[0].cols());
  return quotient(leaf(call[0], 0, cell), leaf(call[1], 1, row));
}

constexpr ParameterField kDivideRowsFields[] = {kEmptyRowField};

std::vector<Share> backward_divide_rows(const Differentiated& step) {
  return {{0, &divide_rows, {step.gradient, step.inputs[1]}, {{"empty_row", std::string("zero")}}},
          {1, &divisor_gradient, {step.gradient, step.id, step.inputs[1]}}};
}

}  // namespace

const Operation divide_rows{
    .name = "divide_rows",
    .formula = "{0} / {1}",
    .shape_rule = kByRows,
    .write_rows = write_divide_rows,
    .derive = derive_divide_rows,
    .fields = kDivideRowsFields,
    .backward = backward_divide_rows,
    .gradient_why = "A quotient changes 1 / divisor times as fast as its numerator."};

}  // namespace attn::ops
