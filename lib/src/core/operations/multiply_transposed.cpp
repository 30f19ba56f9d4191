// Q·Kᵀ: every query with every key, per head.
#include "core/operations/operations.hpp"
#include "core/operations/products.hpp"

namespace attn::ops {
namespace {

MaybeShape shape(Shapes in, const Parameters&, const Shape&) {
  return in[0].cols == in[1].cols ? grouped(in[0], in[1], in[0].rows, in[1].rows) : std::nullopt;
}

constexpr ParameterField kFields[] = {kTiledField};

}  // namespace

const Operation multiply_transposed{
    .name = "multiply_transposed",
    .formula = {"{0}·{1}ᵀ", "{0} {1}^\\top"},
    .shape_rule = {2, 2, "In a dot product both sides have the same length, d_k.", shape},
    .evaluate = product_with<Second::Transposed>,
    .derive = [](const Call& call,
                 const Cell& cell) { return sum(product_terms<Second::Transposed>(call, cell)); },
    .fields = kFields,
    .sizes_meet = SizesMeet::Transposed};

}  // namespace attn::ops
