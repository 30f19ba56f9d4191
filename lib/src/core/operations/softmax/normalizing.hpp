// What layer norm and RMS norm share: rows stretched by one weight per feature.
#pragma once

#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {

inline constexpr ParameterField kEpsilonFields[] = {{.name = "epsilon",
                                                     .kind = ParameterField::Kind::Number,
                                                     .summary = "keeps the divisor above 0"}};

inline constexpr const char* kFeatureRule =
    "Weight and bias have one number for each column of the input.";
MaybeShape features_meet(Shapes in, const Parameters&, const Shape&);

/// Input 0 after `change(row)` of each row, times input 1, plus input 2 if there is one.
template <typename F>
Tensor by_feature_rows(const Call& call, F change) {
  Tensor y = call[0];
  const NumberSpan weight = call[1].data();
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto row = y.row(b, h, r);
      change(row);
      for (std::size_t c = 0; c < row.size(); ++c) {
        row[c] *= weight[c];
        if (call.inputs.size() > 2) row[c] += call[2].data()[c];
      }
    }
  });
  return y;
}

/// √(sum of `squares` / how many + epsilon).
Expression root_of_mean(const Call& call, std::vector<Expression> squares);

/// `x` times the weight of its column, plus its bias.
Expression stretched(const Call& call, const Cell& cell, Expression x);

}  // namespace attn::ops
