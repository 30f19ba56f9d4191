// The random numbers of torch.rand and torch.randn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "attn/core/array.hpp"

namespace attn {

/// The float32 numbers of PyTorch's torch.rand(*shape, generator=torch.Generator().manual_seed(
/// seed)) on a CPU, from 0 to below 1: the same bits in every build. Sizes and seed as for randn.
Array rand(const std::vector<std::ptrdiff_t>& shape, std::uint64_t seed);

/// The float32 numbers of PyTorch's torch.randn(*shape, generator=torch.Generator().manual_seed(
/// seed)) on a CPU, each times `std` in float32: the same bits as PyTorch 1.13.1 with AVX2; other
/// builds of PyTorch differ in the last digit. Sizes are not negative, and the numbers fit into
/// memory: the caller checks that. Only the low 32 bits of the seed count.
Array randn(const std::vector<std::ptrdiff_t>& shape, std::uint64_t seed, double std = 1.0);

}  // namespace attn
