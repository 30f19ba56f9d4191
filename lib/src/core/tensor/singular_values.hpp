// Singular values of a product, from its factors.
#pragma once

#include <vector>

#include "core/tensor/eigen.hpp"

namespace attn {

/// The singular values of a·b, the largest first, as many as its rows, its columns or the columns
/// of `a`, whichever is least; NaN if a number is not finite. Costs little if `a` has few columns:
/// the product itself is not made.
std::vector<double> singular_values_of_product(const Matrix& a, const Matrix& b);

}  // namespace attn
