// Q·Kᵀ: every query with every key, per head.
#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"

namespace attn::ops {
namespace {

MaybeShape shape_of_multiply_transposed(Shapes in, const Parameters&, const Shape&) {
  return in[0].cols == in[1].cols ? grouped(in[0], in[1], in[0].rows, in[1].rows) : std::nullopt;
}

constexpr ParameterField kMultiplyTransposedFields[] = {kTiledField};

std::vector<Share> backward_multiply_transposed(const Differentiated& step) {
  const Parameters groups = groups_of(step.parameters);
  return {{0, &multiply, {step.gradient, step.inputs[1]}, groups},
          {1, &transposed_multiply, {step.gradient, step.inputs[0]}, groups}};
}

}  // namespace

const Operation multiply_transposed{
    .name = "multiply_transposed",
    .formula = "{0}·{1}ᵀ",
    .shape_rule = {2, 2, "In a dot product both sides have the same length, d_k.",
                   shape_of_multiply_transposed},
    .write_rows = write_product<Second::Transposed>,
    .inputs_by_row = first_by_row,
    .derive = [](const Call& call,
                 const Cell& cell) { return sum(product_terms<Second::Transposed>(call, cell)); },
    .fields = kMultiplyTransposedFields,
    .sizes_meet = SizesMeet::Transposed,
    .backward = backward_multiply_transposed,
    .gradient_why =
        "A weight multiplies the value of its key: the loss changes by the dot product of that "
        "value with the gradient."};

}  // namespace attn::ops
