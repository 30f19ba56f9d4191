// Scores hidden where the mask is 0: the fill in their place.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_hide(const RowsCall& call) {
  const double fill = call.parameters.number("fill");
  const auto hidden = [=](double x, double mask) { return mask == 0.0 ? fill : x; };
  if (call.inputs.size() == 2) return write_pairs(call, call[1], hidden);
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto x = call[0].row(r), mask = call[1].row(r), bias = call[2].row(r);
    const auto y = call.result.row(r);
    for (std::size_t c = 0; c < y.size(); ++c) y[c] = hidden(x[c] + bias[c], mask[c]);
  }
}

Expression derive_hide(const Call& call, const Cell& cell) {
  if (call[1].at(cell) == 0.0) return constant(call.parameters.number("fill"));
  const Expression score = leaf(call[0], 0, cell);
  return call.inputs.size() > 2 ? sum({score, leaf(call[2], 2, cell)}) : score;
}

constexpr ParameterField kHideFields[] = {
    {.name = "fill", .kind = ParameterField::Kind::Real, .summary = "what hides a score"}};

std::vector<Share> backward_hide(const Differentiated& step) {
  // Where the fill is, nothing passes: G ∘ mask.
  std::vector<Share> shares{{0, &multiply_elements, {step.gradient, step.inputs[1]}}};
  if (step.inputs.size() > 2)
    shares.push_back({2, &multiply_elements, {step.gradient, step.inputs[1]}});
  return shares;
}

}  // namespace

const Operation hide{.name = "hide",
                     .formula = "{0}[ + {2}], {fill} where mask = 0",
                     .shape_rule = {2, 3, kCellRule, cells_meet},
                     .write_rows = write_hide,
                     .derive = derive_hide,
                     .fields = kHideFields,
                     .backward = backward_hide};

}  // namespace attn::ops
