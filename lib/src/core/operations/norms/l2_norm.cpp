// x / ‖x‖ over each row, stretched: Henry et al. 2020 (Query-Key Normalization for Transformers).
// A length below ε counts as ε, as in torch.nn.functional.normalize.
#include <cmath>

#include "core/operations/norms/norm_parts.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_l2_norm(const Call& call) {
  const double epsilon = call.parameters.number("epsilon");
  return by_feature_rows(call, [&](std::span<double> row) {
    double squares = 0.0;
    for (const double x : row) squares += x * x;
    const double size = std::sqrt(squares);
    for (double& x : row) x /= size < epsilon ? epsilon : size;
  });
}

Expression derive_l2_norm(const Call& call, const Cell& cell) {
  std::vector<Expression> squares;
  for (Expression& x : row_leaves(call[0], cell)) squares.push_back(square(std::move(x)));
  Expression size = root(sum(std::move(squares)));
  const double epsilon = call.parameters.number("epsilon");
  if (size.value < epsilon) size = largest({std::move(size), constant(epsilon)});
  return stretched(call, cell, quotient(leaf(call[0], 0, cell), std::move(size)));
}

std::vector<Share> backward_l2_norm(const Differentiated& step) {
  return norm_shares(step, l2_norm_gradient, l2_norm_weight_gradient);
}

const char* formula_of_l2_norm(const Parameters& p) {
  return weight_offset(p) == 1.0 ? "{0} / √(sum of squares)[ ∘ (1 + {1})]"
                                 : "{0} / √(sum of squares)[ ∘ {1}]";
}

}  // namespace

const Operation l2_norm{.name = "l2_norm",
                        .formula = "{0} / √(sum of squares)[ ∘ {1}]",
                        .shape_rule = {1, 2, kFeatureRule, features_meet},
                        .evaluate = evaluate_l2_norm,
                        .derive = derive_l2_norm,
                        .fields = kNormFields,
                        .formula_for = formula_of_l2_norm,
                        .backward = backward_l2_norm};

}  // namespace attn::ops
