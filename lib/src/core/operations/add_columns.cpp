// The sum of each column, over all matrices: what a bias gets, since every row has it.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_add_columns(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) y.at({b, h, 0, c}) += call[0].at({b, h, r, c});
    }
  });
  return y;
}

Expression derive_add_columns(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for_each_slice(call[0], [&](Index b, Index h) {
    const SlicePlace to = place_in(call.shape, call[0].heads(), {b, h});
    if (to != SlicePlace{cell.batch, cell.head}) return;
    for (Index r = 0; r < call[0].rows(); ++r)
      terms.push_back(leaf(call[0], 0, {b, h, r, cell.col}));
  });
  return sum(std::move(terms));
}

MaybeShape shape_of_add_columns(Shapes in, const Parameters&, const Shape& own) {
  const bool fits = own.rows == 1 && own.cols == in[0].cols && spreads_to(own, in[0]);
  return fits ? MaybeShape(own) : std::nullopt;
}

}  // namespace

const Operation add_columns{
    .name = "add_columns",
    .formula = "column sums of {0}",
    .shape_rule = {1, 1, "The result has one number for each column.", shape_of_add_columns},
    .evaluate = evaluate_add_columns,
    .derive = derive_add_columns,
    .gradient_why = "A bias is added to every row, so it gets the sum of what all rows get."};

}  // namespace attn::ops
