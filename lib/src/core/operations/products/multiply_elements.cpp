// A ∘ B, cell by cell: weights times a mask of 0 and 1.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_multiply_elements(const RowsCall& call) {
  write_pairs(call, call[1], [](double x, double y) { return x * y + 0.0; });  // no −0
}

Expression derive_multiply_elements(const Call& call, const Cell& cell) {
  return product(leaf(call[0], 0, cell), leaf(call[1], 1, cell));
}

std::vector<Share> backward_multiply_elements(const Differentiated& step) {
  return {{0, &multiply_elements, {step.gradient, step.inputs[1]}},
          {1, &multiply_elements, {step.gradient, step.inputs[0]}}};
}

}  // namespace

const Operation multiply_elements{
    .name = "multiply_elements",
    .formula = "{0} ∘ {1}",
    .shape_rule = kByCells,
    .write_rows = write_multiply_elements,
    .derive = derive_multiply_elements,
    .backward = backward_multiply_elements,
    .gradient_why = "Times the other factor: where that is 0, a change has no effect."};

}  // namespace attn::ops
