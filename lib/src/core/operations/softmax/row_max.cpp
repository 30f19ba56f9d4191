// The largest entry of each row.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

void write_row_max(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r)
    call.result.row(r).front() = largest_of(call[0].row(r));
}

Expression derive_row_max(const Call& call, const Cell& cell) {
  return largest(row_leaves(call[0], cell));
}

}  // namespace

const Operation row_max{.name = "row_max",
                        .formula = "largest of each row of {0}",
                        .shape_rule = kOneColumn,
                        .write_rows = write_row_max,
                        .derive = derive_row_max,
                        .sums_over_keys = always};

}  // namespace attn::ops
