// Scores that are a sum over the columns of a query and a key, of something else than products.
#pragma once

#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {

/// What scores are made from, in the order of the inputs.
inline constexpr const char* kScoreParts[] = {"queries", "keys", "weights"};

/// One column of a query and a key, with its weight: 1 in a score without weights.
struct ScorePair {
  double q, k, v;
};
struct ScorePairLeaves {
  Expression q, k, v;
};

/// Σ v·tanh(q + k). A score is kFactor · Σ value; `slope` is what a term changes by with one of
/// its parts, and `slope_of` says it as arithmetic.
struct AdditiveScore {
  static constexpr bool kWeights = true;
  static constexpr double kFactor = 1.0;
  static const Operation* gradient() { return &additive_gradient; }
  static double value(const ScorePair& p) { return p.v * std::tanh(p.q + p.k); }
  static double slope(const ScorePair& p, std::size_t of) {
    const double bent = std::tanh(p.q + p.k);
    return of == 2 ? bent : p.v * (1.0 - bent * bent);
  }
  static Expression term(ScorePairLeaves p) {
    return product(std::move(p.v), tangent_hyperbolic(sum({std::move(p.q), std::move(p.k)})));
  }
  static Expression total(Expression sum) { return sum; }
  static Expression slope_of(ScorePairLeaves p, std::size_t of) {
    Expression bent = tangent_hyperbolic(sum({std::move(p.q), std::move(p.k)}));
    if (of == 2) return bent;
    return product(std::move(p.v), sum({constant(1.0), negative(square(std::move(bent)))}));
  }
};

/// −½ Σ (q − k)².
struct DistanceScore {
  static constexpr bool kWeights = false;
  static constexpr double kFactor = -0.5;
  static const Operation* gradient() { return &distance_gradient; }
  static double value(const ScorePair& p) { return (p.q - p.k) * (p.q - p.k); }
  static double slope(const ScorePair& p, std::size_t of) {
    return of == 0 ? p.k - p.q : p.q - p.k;
  }
  static Expression difference(Expression a, Expression b) {
    return sum({std::move(a), negative(std::move(b))});
  }
  static Expression term(ScorePairLeaves p) {
    return square(difference(std::move(p.q), std::move(p.k)));
  }
  static Expression total(Expression sum) {
    return negative(product(constant(0.5, "½"), std::move(sum)));
  }
  static Expression slope_of(ScorePairLeaves p, std::size_t of) {
    return of == 0 ? difference(std::move(p.k), std::move(p.q))
                   : difference(std::move(p.q), std::move(p.k));
  }
};

/// The cells of one column, where queries are input number `first`.
template <class Score>
ScorePairLeaves pair_leaves(const Call& call, std::size_t first, const Cell& q, const Cell& k) {
  const auto at = [&](std::size_t i, const Cell& cell) {
    return leaf(call[first + i], static_cast<int>(first + i), cell);
  };
  Expression v = Score::kWeights ? at(2, {0, q.head, 0, q.col}) : constant(1.0);
  return {at(0, q), at(1, k), std::move(v)};
}

}  // namespace attn::ops
