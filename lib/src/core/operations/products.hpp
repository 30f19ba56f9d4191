// What the three matrix products share: sums in a fixed order, and groups of query heads.
#pragma once

#include "attn/eigen.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {

/// out = a·b. Products with fewer multiplications than a limit are summed term by term, in the
/// order of the columns, as on paper: Eigen's small products may sum in another order from one
/// place in memory to the next; its large ones do not.
void multiply_into(MatrixView out, const ConstMatrixView& a, const ConstMatrixView& b);

/// out = a·bᵀ, likewise.
void multiply_transposed_into(MatrixView out, const ConstMatrixView& a, const ConstMatrixView& b);

/// A product whose second factor may have fewer heads, each serving a group of query heads.
MaybeShape grouped(const Shape& a, const Shape& b, Index rows, Index cols);

inline constexpr const char* kProductRule = "In A·B, A must have as many columns as B has rows.";

}  // namespace attn::ops
