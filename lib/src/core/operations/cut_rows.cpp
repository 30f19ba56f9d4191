// Some rows of a stacked matrix: what one of its parts gets of the gradient.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_cut_rows(const Call& call) {
  const Index first = call.parameters.count("first");
  Tensor y(call.shape);
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) y.at({b, h, r, c}) += call[0].at({b, h, first + r, c});
    }
  });
  return y;
}

Expression derive_cut_rows(const Call& call, const Cell& cell) {
  const Index row = call.parameters.count("first") + cell.row;
  std::vector<Expression> terms;
  for_each_slice(call[0], [&](Index b, Index h) {
    const SlicePlace to = place_in(call.shape, call[0].heads(), {b, h});
    if (to == SlicePlace{call.shape.batch ? cell.batch : 0, call.shape.heads ? cell.head : 0})
      terms.push_back(leaf(call[0], 0, {b, h, row, cell.col}));
  });
  return terms.size() == 1 ? terms.front() : sum(std::move(terms));
}

MaybeShape shape_of_cut_rows(Shapes in, const Parameters& p, const Shape& own) {
  const bool fits =
      own.cols == in[0].cols && p.count("first") + own.rows <= in[0].rows && spreads_to(own, in[0]);
  return fits ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kCutRowsFields[] = {{.name = "first",
                                              .kind = ParameterField::Kind::Count,
                                              .summary = "the first row, counted from 0",
                                              .least = 0}};

}  // namespace

const Operation cut_rows{
    .name = "cut_rows",
    .formula = "rows of {0} from {first} on",
    .shape_rule = {1, 1, "The rows are rows of the input, with all their columns.",
                   shape_of_cut_rows},
    .evaluate = evaluate_cut_rows,
    .derive = derive_cut_rows,
    .fields = kCutRowsFields,
    .gradient_why = "Stacking changes no number: each part gets its own rows."};

}  // namespace attn::ops
