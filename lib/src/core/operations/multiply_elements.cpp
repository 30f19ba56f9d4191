// A ∘ B, cell by cell: weights times a mask of 0 and 1.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  return by_cells(call[0], call[1], [](double x, double y) { return x * y; });
}

Expression derive(const Call& call, const Cell& cell) {
  return product({leaf(call[0], 0, cell), leaf(call[1], 1, cell)});
}

}  // namespace

const Operation multiply_elements{.name = "multiply_elements",
                                  .formula = {"{0} ∘ {1}", "{0} \\odot {1}"},
                                  .shape_rule = kByCells,
                                  .evaluate = evaluate,
                                  .derive = derive};

}  // namespace attn::ops
