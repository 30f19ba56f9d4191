// The sum of each row.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

void write_row_sum(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r) call.result.row(r).front() = sum_of(call[0].row(r));
}

Expression derive_row_sum(const Call& call, const Cell& cell) {
  return sum(row_leaves(call[0], cell));
}

std::vector<Share> backward_row_sum(const Differentiated& step) {
  return {{0, &repeat_column, {step.gradient}}};
}

}  // namespace

const Operation row_sum{.name = "row_sum",
                        .formula = "sum of each row of {0}",
                        .shape_rule = kOneColumn,
                        .write_rows = write_row_sum,
                        .derive = derive_row_sum,
                        .sums_over_keys = always,
                        .backward = backward_row_sum};

}  // namespace attn::ops
