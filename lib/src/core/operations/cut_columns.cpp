// Some columns of matrices side by side: what one of them gets of the gradient.
// One that is beside every head gets the sum over the heads.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_cut_columns(const Call& call) {
  const Index first = call.parameters.count("first");
  Tensor y(call.shape);
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) y.at({b, h, r, c}) += call[0].at({b, h, r, first + c});
    }
  });
  return y;
}

Expression derive_cut_columns(const Call& call, const Cell& cell) {
  const Index col = call.parameters.count("first") + cell.col;
  std::vector<Expression> terms;
  for_each_slice(call[0], [&](Index b, Index h) {
    const SlicePlace to = place_in(call.shape, call[0].heads(), {b, h});
    if (to == SlicePlace{call.shape.batch ? cell.batch : 0, call.shape.heads ? cell.head : 0})
      terms.push_back(leaf(call[0], 0, {b, h, cell.row, col}));
  });
  return terms.size() == 1 ? terms.front() : sum(std::move(terms));
}

MaybeShape shape_of_cut_columns(Shapes in, const Parameters& p, const Shape& own) {
  const bool fits =
      own.rows == in[0].rows && p.count("first") + own.cols <= in[0].cols && spreads_to(own, in[0]);
  return fits ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kCutColumnsFields[] = {{.name = "first",
                                                 .kind = ParameterField::Kind::Count,
                                                 .summary = "the first column, counted from 0",
                                                 .least = 0}};

}  // namespace

const Operation cut_columns{
    .name = "cut_columns",
    .formula = "columns of {0} from {first} on",
    .shape_rule = {1, 1, "The columns are columns of the input, with all their rows.",
                   shape_of_cut_columns},
    .evaluate = evaluate_cut_columns,
    .derive = derive_cut_columns,
    .fields = kCutColumnsFields,
    .gradient_why =
        "Side by side, no number changes: each part gets its own columns, summed over "
        "the heads that share it."};

}  // namespace attn::ops
