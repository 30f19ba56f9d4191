// Number types narrower than double, and rounding to them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "attn/tensor.hpp"

namespace attn {

/// Every number of `tensor` rounded to `dtype`, to nearest, ties to even; too large ones become ±∞.
Tensor rounded(Tensor tensor, Dtype dtype);

/// The same in place.
void round_to(Dtype dtype, std::span<double> numbers);

/// The names of the number types, in the order of Dtype.
inline constexpr const char* kDtypeNames[] = {"float64", "float32", "bfloat16", "float16"};

std::optional<Dtype> find_dtype(std::string_view name);

}  // namespace attn
