// x / root mean square over each row, stretched: Zhang and Sennrich 2019.
#include <cmath>

#include "core/operations/norms/norm_parts.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_rms_norm(const Call& call) {
  const double epsilon = call.parameters.number("epsilon");
  return by_feature_rows(call, [&](std::span<double> row) {
    double squares = 0.0;
    for (const double x : row) squares += x * x;
    const double size = std::sqrt(squares / static_cast<double>(row.size()) + epsilon);
    divide_by_size(row, size);
  });
}

Expression derive_rms_norm(const Call& call, const Cell& cell) {
  std::vector<Expression> squares;
  for (Expression& x : row_leaves(call[0], cell)) squares.push_back(square(std::move(x)));
  return stretched(call, cell,
                   quotient(leaf(call[0], 0, cell), root_of_mean(call, std::move(squares))));
}

std::vector<Share> backward_rms_norm(const Differentiated& step) {
  return norm_shares(step, rms_norm_gradient, rms_norm_weight_gradient);
}

const char* formula_of_rms_norm(const Parameters& p) {
  return weight_offset(p) == 1.0 ? "{0} / √(mean of squares + {epsilon})[ ∘ (1 + {1})]"
                                 : "{0} / √(mean of squares + {epsilon})[ ∘ {1}]";
}

}  // namespace

const Operation rms_norm{.name = "rms_norm",
                         .formula = "{0} / √(mean of squares + {epsilon})[ ∘ {1}]",
                         .shape_rule = {1, 2, kFeatureRule, features_meet},
                         .evaluate = evaluate_rms_norm,
                         .derive = derive_rms_norm,
                         .fields = kNormFields,
                         .formula_for = formula_of_rms_norm,
                         .backward = backward_rms_norm};

}  // namespace attn::ops
