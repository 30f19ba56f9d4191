// What the norms share: rows stretched by one weight per feature, or not at all.
#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {

inline constexpr ParameterField kNormFields[] = {{.name = "epsilon",
                                                  .kind = ParameterField::Kind::Number,
                                                  .summary = "keeps the divisor above 0"},
                                                 {.name = "offset",
                                                  .kind = ParameterField::Kind::Number,
                                                  .summary = "what is added to each weight",
                                                  .required = false}};

inline constexpr const char* kFeatureRule =
    "Weight and bias have one number for each column of the input, in every head or in each.";
MaybeShape features_meet(Shapes in, const Parameters&, const Shape&);

/// What is added to each weight: 1 where a file has weights near 0 (Gemma), else 0.
double weight_offset(const Parameters& p);

/// Input 0 after `change(row)` of each row, times input 1 and plus input 2, if there are any.
template <typename F>
Tensor by_feature_rows(const Call& call, F change) {
  Tensor y = call[0];
  const double offset = weight_offset(call.parameters);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto row = y.row(b, h, r);
      change(row);
      if (call.inputs.size() < 2) continue;
      const auto weight = call[1].row(0, h, 0);
      for (std::size_t c = 0; c < row.size(); ++c) row[c] *= weight[c] + offset;
      if (call.inputs.size() < 3) continue;
      const auto bias = call[2].row(0, h, 0);
      for (std::size_t c = 0; c < row.size(); ++c) row[c] += bias[c];
    }
  });
  return y;
}

/// A row divided by its size; NaN if that was too large to compute, so that it is noticed.
inline void divide_by_size(std::span<double> row, double size) {
  const double divisor = std::isinf(size) ? std::numeric_limits<double>::quiet_NaN() : size;
  for (double& x : row) x /= divisor;
}

/// √(sum of `squares` / how many + epsilon).
Expression root_of_mean(const Call& call, std::vector<Expression> squares);

/// The weight of a column as the norm multiplies by it: input `i`, plus its offset.
Expression weight_of(const Call& call, std::size_t i, const Cell& cell);

/// `x` times the weight of its column, plus its bias, if there are any.
Expression stretched(const Call& call, const Cell& cell, Expression x);

/// What the input, the weight and the bias of a norm get.
std::vector<Share> norm_shares(const Differentiated& step, const Operation& input_gradient,
                               const Operation& weight_gradient);

}  // namespace attn::ops
