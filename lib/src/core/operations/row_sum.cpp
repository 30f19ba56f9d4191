// The sum of each row.
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (const double x : call[0].row(b, h, r)) y.at({b, h, r, 0}) += x;
    }
  });
  return y;
}

Expression derive(const Call& call, const Cell& cell) { return sum(row_leaves(call[0], cell)); }

std::vector<Share> backward(const Differentiated& step) {
  return {{0, &repeat_column, {step.gradient}}};
}

}  // namespace

const Operation row_sum{.name = "row_sum",
                        .formula = {"sum of each row of {0}", "\\sum_j {0}_{ij}"},
                        .shape_rule = kOneColumn,
                        .evaluate = evaluate,
                        .derive = derive,
                        .sums_over_keys = always,
                        .backward = backward};

}  // namespace attn::ops
