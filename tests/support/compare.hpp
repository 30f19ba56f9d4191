// Compares numbers and says where they differ.
#pragma once

#include <string>

#include "attn/core/array.hpp"
#include "attn/tensor.hpp"

namespace attn::testing {

/// Whether two numbers agree to 1e-12 of the larger of 1 and |expected|; NaN agrees with NaN and an
/// infinity with itself.
bool close(double expected, double found);

/// The first place where the numbers do not agree, in words; empty if there is none.
std::string first_difference(const Array& expected, const Tensor& found);
std::string first_difference(const Tensor& expected, const Tensor& found);

}  // namespace attn::testing
