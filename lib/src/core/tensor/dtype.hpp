#pragma once

#include "attn/problem.hpp"

namespace attn {

/// Every number of `tensor` rounded to `dtype`, to nearest, ties to even; too large ones become ±∞.
Tensor rounded(Tensor tensor, Dtype dtype);

}  // namespace attn
