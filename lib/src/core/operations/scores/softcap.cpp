// c·tanh(S / c): scores that stay between −c and c.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_softcap(const RowsCall& call) {
  const double cap = call.parameters.number("cap");
  write_cells(call, [=](double x) { return cap * std::tanh(x / cap); });
}

Expression derive_softcap(const Call& call, const Cell& cell) {
  const Expression cap = constant(call.parameters.number("cap"));
  return product(cap, tangent_hyperbolic(quotient(leaf(call[0], 0, cell), cap)));
}

constexpr ParameterField kSoftcapFields[] = {
    {.name = "cap", .kind = ParameterField::Kind::Number, .summary = "the limit c", .least = 0.0}};

std::vector<Share> backward_softcap(const Differentiated& step) {
  return {{0, &softcap_gradient, {step.gradient, step.id}, step.parameters}};
}

}  // namespace

const Operation softcap{.name = "softcap",
                        .formula = "{cap}·tanh({0} / {cap})",
                        .shape_rule = kLikeInput,
                        .write_rows = write_softcap,
                        .derive = derive_softcap,
                        .fields = kSoftcapFields,
                        .backward = backward_softcap};

}  // namespace attn::ops
