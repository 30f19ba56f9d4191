// What the rows of a table of embeddings are multiplied by: √d_model in some models.
#pragma once

#include <utility>

#include "attn/core/expression.hpp"
#include "attn/operation.hpp"

namespace attn::ops {

inline constexpr ParameterField kEmbeddingFactorField = {
    .name = "factor",
    .kind = ParameterField::Kind::Number,
    .summary = "what every row is multiplied by",
    .required = false};

inline double embedding_factor(const Parameters& p) {
  return p.find("factor") == nullptr ? 1.0 : p.number("factor");
}

/// `x` times the factor, if there is one.
inline Expression times_factor(Expression x, const Parameters& p) {
  return p.find("factor") == nullptr ? x : product(std::move(x), constant(p.number("factor")));
}

}  // namespace attn::ops
