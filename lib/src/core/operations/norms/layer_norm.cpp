// (x − mean) / standard deviation over each row, stretched and shifted: Ba et al. 2016.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/operations/norms/norm_parts.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

double mean_of(std::span<const double> row) {
  return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
}

Tensor evaluate_layer_norm(const Call& call) {
  const double epsilon = call.parameters.number("epsilon");
  return by_feature_rows(call, [&](std::span<double> row) {
    const double mean = mean_of(row);
    double squares = 0.0;
    for (double& x : row) {
      x -= mean;
      squares += x * x;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(row.size()) + epsilon);
    divide_by_size(row, deviation);
  });
}

/// The mean, but 0 where it is only a rounding error.
double visible_mean(std::span<const double> row) {
  double largest = 0.0;
  for (const double x : row) largest = std::max(largest, std::abs(x));
  const double mean = mean_of(row);
  return std::abs(mean) < 1e-15 * largest ? 0.0 : mean;
}

Expression derive_layer_norm(const Call& call, const Cell& cell) {
  const double mean = visible_mean(call[0].row(cell.batch, cell.head, cell.row));
  const auto centred = [mean](Expression x) {
    return mean == 0.0 ? std::move(x) : sum({std::move(x), constant(-mean)});
  };
  std::vector<Expression> squares;
  for (Expression& x : row_leaves(call[0], cell)) squares.push_back(square(centred(std::move(x))));
  return stretched(
      call, cell,
      quotient(centred(leaf(call[0], 0, cell)), root_of_mean(call, std::move(squares))));
}

std::vector<Share> backward_layer_norm(const Differentiated& step) {
  return norm_shares(step, layer_norm_gradient, layer_norm_weight_gradient);
}

const char* formula_of_layer_norm(const Parameters& p) {
  return weight_offset(p) == 1.0 ? "({0} − mean) / √(variance + {epsilon})[ ∘ (1 + {1})][ + {2}]"
                                 : "({0} − mean) / √(variance + {epsilon})[ ∘ {1}][ + {2}]";
}

}  // namespace

const Operation layer_norm{.name = "layer_norm",
                           .formula = "({0} − mean) / √(variance + {epsilon})[ ∘ {1}][ + {2}]",
                           .shape_rule = {1, 3, kFeatureRule, features_meet},
                           .evaluate = evaluate_layer_norm,
                           .derive = derive_layer_norm,
                           .fields = kNormFields,
                           .formula_for = formula_of_layer_norm,
                           .backward = backward_layer_norm};

}  // namespace attn::ops
