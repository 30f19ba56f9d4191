// The oracle's rounding to narrower number types.
#pragma once

#include "attn/problem.hpp"

namespace attn::testing {

/// `x` rounded to the number type, ties to even, too large ones to ±∞: arithmetic on the spacing of
/// the type's numbers, without any machine type narrower than double. The two 16-bit types are
/// reached by way of float32, as hardware does.
double narrowed(double x, Dtype dtype);

/// The same for every number of an Array or a Block.
template <typename Numbers>
Numbers all_narrowed(Numbers numbers, Dtype dtype) {
  for (double& x : numbers.data) x = narrowed(x, dtype);
  return numbers;
}

}  // namespace attn::testing
