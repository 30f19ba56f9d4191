// The largest entry of each row.
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) y.at({b, h, r, 0}) = largest_of(call[0].row(b, h, r));
  });
  return y;
}

Expression derive(const Call& call, const Cell& cell) { return largest(row_leaves(call[0], cell)); }

}  // namespace

const Operation row_max{.name = "row_max",
                        .formula = {"largest of each row of {0}", "\\max_j {0}_{ij}"},
                        .shape_rule = kOneColumn,
                        .evaluate = evaluate,
                        .derive = derive,
                        .sums_over_keys = always};

}  // namespace attn::ops
