// What is added to scores to hide them: 0 where the mask is 1, the fill where it is 0.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

double added(const Parameters& p, double mask) { return mask == 0.0 ? p.number("fill") : 0.0; }

Tensor evaluate(const Call& call) {
  Tensor y = call[0];
  for (double& number : y.data()) number = added(call.parameters, number);
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  return constant(added(call.parameters, call[0].at(cell)));
}

constexpr ParameterField kFields[] = {
    {.name = "fill", .kind = ParameterField::Kind::Real, .summary = "what hides a score"}};

}  // namespace

const Operation added_mask{
    .name = "added_mask",
    .formula = {"{fill} where {0} = 0, else 0", "{fill} \\text{ where } {0} = 0 \\text{, else } 0"},
    .shape_rule = kLikeInput,
    .evaluate = evaluate,
    .derive = derive,
    .fields = kFields};

}  // namespace attn::ops
