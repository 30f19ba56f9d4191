// The random numbers of PyTorch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/random_draw.hpp"

namespace attn {

/// torch.Generator().manual_seed(seed) on a CPU, and what it keeps from one call to the next: the
/// float32 numbers of torch.rand, torch.randn and torch.randint, and of nn.Linear's own weight and
/// bias, bit for bit those of PyTorch 1.13.1 with AVX2. Only the low 32 bits of the seed count.
class TorchRandom {
 public:
  explicit TorchRandom(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}

  /// The numbers of the next call.
  std::vector<double> draw(const Draw& wanted);

  /// The same, without making the numbers.
  void skip(const Draw& drawn);

 private:
  float uniform();
  void fill_uniform(std::vector<float>& numbers);
  void fill_linear(std::vector<float>& numbers, const Draw& wanted);
  void fill_normal(std::vector<float>& numbers);
  void fill_in_blocks(std::vector<float>& numbers);
  void fill_in_pairs(std::vector<float>& numbers);

  std::mt19937 engine_;
  std::optional<double> kept_;  // the second number of a pair
};

/// The float32 numbers of PyTorch's torch.rand(*shape, generator=torch.Generator().manual_seed(
/// seed)) on a CPU, from 0 to below 1: the same bits in every build. Sizes and seed as for randn.
Array rand(const std::vector<std::ptrdiff_t>& shape, std::uint64_t seed);

/// The float32 numbers of PyTorch's torch.randn(*shape, generator=torch.Generator().manual_seed(
/// seed)) on a CPU, each times `std` in float32: the same bits as PyTorch 1.13.1 with AVX2; other
/// builds of PyTorch differ in the last digit. Sizes are not negative, and the numbers fit into
/// memory: the caller checks that. Only the low 32 bits of the seed count.
Array randn(const std::vector<std::ptrdiff_t>& shape, std::uint64_t seed, double std = 1.0);

}  // namespace attn
