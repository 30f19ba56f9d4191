// S times a factor, usually 1/√d_k.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_scale(const RowsCall& call) {
  const double factor = call.parameters.number("factor");
  write_cells(call, [=](double x) { return x * factor; });
}

/// The d_k whose root divides; nullptr if the factor is something else.
const Index* root_of(const Parameters& p) {
  const Parameters::Value* value = p.find("d_k");
  const Index* d_k = value == nullptr ? nullptr : std::get_if<Index>(value);
  if (d_k == nullptr) return nullptr;
  const double one = p.number("factor") * std::sqrt(static_cast<double>(*d_k));
  return std::abs(one - 1.0) < 1e-12 ? d_k : nullptr;
}

Expression derive_scale(const Call& call, const Cell& cell) {
  const Index* d_k = root_of(call.parameters);
  if (d_k == nullptr)
    return product(leaf(call[0], 0, cell), constant(call.parameters.number("factor")));
  return quotient(leaf(call[0], 0, cell),
                  constant(std::sqrt(static_cast<double>(*d_k)), "√" + std::to_string(*d_k)));
}

const char* formula_of_scale(const Parameters& p) {
  if (root_of(p) != nullptr) return scale.formula;
  return "{0}·{factor}";
}

constexpr ParameterField kScaleFields[] = {{.name = "factor",
                                            .kind = ParameterField::Kind::Number,
                                            .summary = "what the scores are multiplied by"},
                                           {.name = "d_k",
                                            .kind = ParameterField::Kind::Count,
                                            .summary = "the factor is 1/√d_k",
                                            .least = 1,
                                            .required = false}};

std::vector<Share> backward_scale(const Differentiated& step) {
  return {{0, &scale, {step.gradient}, step.parameters}};
}

}  // namespace

const Operation scale{
    .name = "scale",
    .formula = "{0} / √d_k",
    .shape_rule = kLikeInput,
    .write_rows = write_scale,
    .derive = derive_scale,
    .fields = kScaleFields,
    .formula_for = formula_of_scale,
    .backward = backward_scale,
    .gradient_why = "A constant factor acts on the gradient as it acted on the numbers."};

}  // namespace attn::ops
