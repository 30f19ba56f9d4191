// G ∘ (1 − (y/c)²): a score near the cap hardly changes any more.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_softcap_gradient(const Call& call) {
  const double cap = call.parameters.number("cap");
  return by_cells(call[0], call[1],
                  [&](double g, double y) { return g * (1.0 - (y / cap) * (y / cap)); });
}

Expression derive_softcap_gradient(const Call& call, const Cell& cell) {
  const Expression share =
      quotient(leaf(call[1], 1, cell), constant(call.parameters.number("cap")));
  return product(leaf(call[0], 0, cell), sum({constant(1.0), negative(square(share))}));
}

constexpr ParameterField kSoftcapGradientFields[] = {
    {.name = "cap", .kind = ParameterField::Kind::Number, .summary = "the limit c", .least = 0.0}};

}  // namespace

const Operation softcap_gradient{
    .name = "softcap_gradient",
    .formula = "{0} ∘ (1 − ({1} / {cap})²)",
    .shape_rule = kByCells,
    .evaluate = evaluate_softcap_gradient,
    .derive = derive_softcap_gradient,
    .fields = kSoftcapGradientFields,
    .gradient_why =
        "Near the cap the curve is flat: a score that saturates learns almost nothing."};

}  // namespace attn::ops
