// The sum of each row, and of one more number that another matrix has for it.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

void write_row_sum(const RowsCall& call) {
  const bool more = call.inputs.size() > 1;
  for (Index r = 0; r < call.result.rows; ++r)
    call.result.row(r).front() = sum_of(call[0].row(r)) + (more ? call[1].row(r).front() : 0.0);
}

Expression derive_row_sum(const Call& call, const Cell& cell) {
  std::vector<Expression> terms = row_leaves(call[0], cell);
  if (call.inputs.size() > 1) terms.push_back(leaf(call[1], 1, cell));
  return sum(std::move(terms));
}

std::vector<Share> backward_row_sum(const Differentiated& step) {
  std::vector<Share> shares{{0, &repeat_column, {step.gradient}}};
  if (step.inputs.size() > 1) shares.push_back({1, &copy, {step.gradient}});
  return shares;
}

MaybeShape row_sum_shape(Shapes in, const Parameters&, const Shape&) {
  return in.size() < 2 || in[1] == column_of(in[0]) ? MaybeShape(column_of(in[0])) : std::nullopt;
}

}  // namespace

const Operation row_sum{.name = "row_sum",
                        .formula = "sum of each row of {0}[ + {1}]",
                        .shape_rule = {1, 2, kOneColumn.sentence, row_sum_shape},
                        .write_rows = write_row_sum,
                        .derive = derive_row_sum,
                        .sums_over_keys = always,
                        .backward = backward_row_sum};

}  // namespace attn::ops
