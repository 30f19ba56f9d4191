// A·V: each query's mixture of the values, per head.
#include "core/operations/operations.hpp"
#include "core/operations/products.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  Tensor context(call.shape);
  for_each_slice(context, [&](Index b, Index h) {
    const Index kv = kv_head(h, context.heads(), call[1]);
    multiply_into(view(context, b, h), view(call[0], b, h), view(call[1], b, kv));
  });
  return context;
}

Expression derive(const Call& call, const Cell& cell) {
  const Index kv = kv_head(cell.head, call[0].heads(), call[1]);
  std::vector<Expression> terms;
  for (Index j = 0; j < call[0].cols(); ++j) {
    terms.push_back(product({leaf(call[0], 0, {cell.batch, cell.head, cell.row, j}),
                             leaf(call[1], 1, {cell.batch, kv, j, cell.col})}));
  }
  return sum(std::move(terms));
}

MaybeShape shape(Shapes in, const Parameters&, const Shape&) {
  return in[0].cols == in[1].rows ? grouped(in[0], in[1], in[0].rows, in[1].cols) : std::nullopt;
}

}  // namespace

const Operation multiply{.name = "multiply",
                         .formula = {"{0}·{1}", "{0} {1}"},
                         .shape_rule = {2, 2, kProductRule, shape},
                         .evaluate = evaluate,
                         .derive = derive,
                         .sizes_meet = SizesMeet::Plain,
                         .sums_over_keys = true};

}  // namespace attn::ops
