// X·W + b: a projection.
#include "core/operations/operations.hpp"
#include "core/operations/products.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  Tensor y = product_with<Second::Plain>(call);
  if (call.inputs.size() > 2)
    for_each_slice(
        y, [&](Index b, Index h) { view(y, b, h).rowwise() += view(call[2], b, h).row(0); });
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  std::vector<Expression> terms = product_terms<Second::Plain>(call, cell);
  if (call.inputs.size() > 2)
    terms.push_back(leaf(call[2], 2, {cell.batch, cell.head, 0, cell.col}));
  return sum(std::move(terms));
}

MaybeShape shape(Shapes in, const Parameters&, const Shape&) {
  const Shape result = joined(in[0], in[1], in[0].rows, in[1].cols);
  bool fits = in[0].cols == in[1].rows;
  for (const Shape& each : in) fits = fits && spreads_to(each, result);
  if (in.size() > 2) fits = fits && in[2].rows == 1 && in[2].cols == in[1].cols;
  return fits ? MaybeShape(result) : std::nullopt;
}

}  // namespace

const Operation linear{.name = "linear",
                       .formula = {"{0}·{1}[ + {2}]", "{0} {1}[ + {2}]"},
                       .shape_rule = {2, 3, kProductRule, shape},
                       .evaluate = evaluate,
                       .derive = derive,
                       .sizes_meet = SizesMeet::Plain};

}  // namespace attn::ops
