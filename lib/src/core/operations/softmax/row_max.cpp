// The largest entry of each row, or its sink.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

void write_row_max(const RowsCall& call) {
  const double sink = call.inputs.size() > 1 ? *call[1].begin : kHidden;
  for (Index r = 0; r < call.result.rows; ++r)
    call.result.row(r).front() = with_sink(largest_of(call[0].row(r)), sink);
}

Expression derive_row_max(const Call& call, const Cell& cell) {
  std::vector<Expression> all = row_leaves(call[0], cell);
  if (call.inputs.size() > 1) all.push_back(leaf(call[1], 1, {0, cell.head, 0, 0}));
  return largest(std::move(all));
}

MaybeShape row_max_shape(Shapes in, const Parameters&, const Shape&) {
  return in.size() < 2 || is_sink(in[1], in[0]) ? MaybeShape(column_of(in[0])) : std::nullopt;
}

std::size_t only_scores(const Parameters&) { return 1; }

}  // namespace

const Operation row_max{.name = "row_max",
                        .formula = "largest of each row of {0}[ and {1}]",
                        .shape_rule = {1, 2, kSinkRule, row_max_shape},
                        .write_rows = write_row_max,
                        .inputs_by_row = only_scores,
                        .derive = derive_row_max,
                        .sums_over_keys = always};

}  // namespace attn::ops
