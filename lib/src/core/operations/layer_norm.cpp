// (x − mean) / standard deviation over each row, stretched and shifted: Ba et al. 2016.
#include <cmath>
#include <numeric>

#include "core/operations/normalizing.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

double mean_of(std::span<const double> row) {
  return std::accumulate(row.begin(), row.end(), 0.0) / static_cast<double>(row.size());
}

Tensor evaluate(const Call& call) {
  const double epsilon = call.parameters.number("epsilon");
  return by_feature_rows(call, [&](std::span<double> row) {
    const double mean = mean_of(row);
    double squares = 0.0;
    for (double& x : row) {
      x -= mean;
      squares += x * x;
    }
    const double deviation = std::sqrt(squares / static_cast<double>(row.size()) + epsilon);
    for (double& x : row) x /= deviation;
  });
}

Expression derive(const Call& call, const Cell& cell) {
  const Expression mean = constant(-mean_of(call[0].row(cell.batch, cell.head, cell.row)));
  std::vector<Expression> squares;
  for (Expression& x : row_leaves(call[0], cell))
    squares.push_back(square(sum({std::move(x), mean})));
  Expression centred = sum({leaf(call[0], 0, cell), mean});
  return stretched(call, cell,
                   quotient(std::move(centred), root_of_mean(call, std::move(squares))));
}

}  // namespace

const Operation layer_norm{
    .name = "layer_norm",
    .formula = {"({0} − mean) / √(variance + {epsilon}) ∘ {1}[ + {2}]",
                "\\frac{{0} - \\mu}{\\sqrt{\\sigma^2 + {epsilon}}} \\odot {1}[ + {2}]"},
    .shape_rule = {2, 3, kFeatureRule, features_meet},
    .evaluate = evaluate,
    .derive = derive,
    .fields = kEpsilonFields};

}  // namespace attn::ops
