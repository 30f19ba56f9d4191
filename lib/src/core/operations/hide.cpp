// Scores hidden where the mask is 0: the fill in their place.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  const double fill = call.parameters.number("fill");
  const Tensor y = call.inputs.size() > 2
                       ? add.evaluate({std::vector{call.inputs[0], call.inputs[2]}, {}, call.shape})
                       : call[0];
  return by_cells(y, call[1], [&](double x, double mask) { return mask == 0.0 ? fill : x; });
}

Expression derive(const Call& call, const Cell& cell) {
  if (call[1].at(cell) == 0.0) return constant(call.parameters.number("fill"));
  const Expression score = leaf(call[0], 0, cell);
  return call.inputs.size() > 2 ? sum({score, leaf(call[2], 2, cell)}) : score;
}

constexpr ParameterField kFields[] = {
    {.name = "fill", .kind = ParameterField::Kind::Real, .summary = "what hides a score"}};

std::vector<Share> backward(const Differentiated& step) {
  // Where the fill is, nothing passes: G ∘ mask.
  std::vector<Share> shares{{0, &multiply_elements, {step.gradient, step.inputs[1]}}};
  if (step.inputs.size() > 2)
    shares.push_back({2, &multiply_elements, {step.gradient, step.inputs[1]}});
  return shares;
}

}  // namespace

const Operation hide{.name = "hide",
                     .formula = {"{0}[ + {2}], {fill} where mask = 0",
                                 "{0}[ + {2}],\\; {fill} \\text{ where mask} = 0"},
                     .shape_rule = {2, 3, kCellRule, cells_meet},
                     .evaluate = evaluate,
                     .derive = derive,
                     .fields = kFields,
                     .backward = backward};

}  // namespace attn::ops
