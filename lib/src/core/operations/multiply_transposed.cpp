// Q·Kᵀ: every query with every key, per head.
#include "core/operations/operations.hpp"
#include "core/operations/products.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  Tensor scores(call.shape);
  for_each_slice(scores, [&](Index b, Index h) {
    const Index kv = kv_head(h, scores.heads(), call[1]);
    multiply_transposed_into(view(scores, b, h), view(call[0], b, h), view(call[1], b, kv));
  });
  return scores;
}

Expression derive(const Call& call, const Cell& cell) {
  const Index kv = kv_head(cell.head, call[0].heads(), call[1]);
  std::vector<Expression> terms;
  for (Index l = 0; l < call[0].cols(); ++l) {
    terms.push_back(product({leaf(call[0], 0, {cell.batch, cell.head, cell.row, l}),
                             leaf(call[1], 1, {cell.batch, kv, cell.col, l})}));
  }
  return sum(std::move(terms));
}

MaybeShape shape(Shapes in, const Parameters&, const Shape&) {
  return in[0].cols == in[1].cols ? grouped(in[0], in[1], in[0].rows, in[1].rows) : std::nullopt;
}

}  // namespace

const Operation multiply_transposed{
    .name = "multiply_transposed",
    .formula = {"{0}·{1}ᵀ", "{0} {1}^\\top"},
    .shape_rule = {2, 2, "A dot product needs as many numbers on both sides: d_k.", shape},
    .evaluate = evaluate,
    .derive = derive,
    .sizes_meet = SizesMeet::Transposed};

}  // namespace attn::ops
