// A·V: each query's mixture of the values, per head.
#include "core/operations/operations.hpp"
#include "core/operations/products.hpp"

namespace attn::ops {
namespace {

MaybeShape shape(Shapes in, const Parameters&, const Shape&) {
  return in[0].cols == in[1].rows ? grouped(in[0], in[1], in[0].rows, in[1].cols) : std::nullopt;
}

}  // namespace

const Operation multiply{
    .name = "multiply",
    .formula = {"{0}·{1}", "{0} {1}"},
    .shape_rule = {2, 2, kProductRule, shape},
    .evaluate = product_with<Second::Plain>,
    .derive = [](const Call& call,
                 const Cell& cell) { return sum(product_terms<Second::Plain>(call, cell)); },
    .sizes_meet = SizesMeet::Plain,
    .sums_over_keys = always};

}  // namespace attn::ops
