// c·tanh(S / c): scores that stay between −c and c.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  Tensor y = call[0];
  const double cap = call.parameters.number("cap");
  for (double& number : y.data()) number = cap * std::tanh(number / cap);
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  const Expression cap = constant(call.parameters.number("cap"));
  return product({cap, tangent_hyperbolic(quotient(leaf(call[0], 0, cell), cap))});
}

constexpr ParameterField kFields[] = {
    {.name = "cap", .kind = ParameterField::Kind::Number, .summary = "the limit c", .least = 0.0}};

std::vector<Share> backward(const Differentiated& step) {
  return {{0, &softcap_gradient, {step.gradient, step.id}, step.parameters}};
}

}  // namespace

const Operation softcap{
    .name = "softcap",
    .formula = {"{cap}·tanh({0} / {cap})", "{cap} \\tanh\\left(\\frac{{0}}{{cap}}\\right)"},
    .shape_rule = kLikeInput,
    .evaluate = evaluate,
    .derive = derive,
    .fields = kFields,
    .backward = backward};

}  // namespace attn::ops
