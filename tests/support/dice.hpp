// Random choices, the same on every platform.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/tensor.hpp"

namespace attn::testing {

/// Random choices that are the same with every standard library: the generator's bits are
/// prescribed, the distributions are not, so the mapping to numbers is our own.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed * 2654435761U)) {}

  /// A whole number from `low` to `high`, both included.
  Index between(Index low, Index high) {
    return low + static_cast<Index>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }

  /// True in about `percent` of 100 cases.
  bool chance(Index percent) { return between(1, 100) <= percent; }

  /// A number in [−1, 1).
  double number() { return static_cast<double>(engine_()) / 2147483648.0 - 1; }

  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(between(0, static_cast<Index>(choices.size()) - 1))];
  }

  /// An array of that shape, filled with number().
  Array numbers(const std::vector<Index>& shape) {
    Index count = 1;
    for (const Index size : shape) count *= size;
    Array array{shape, {}};
    for (Index n = 0; n < count; ++n) array.data.push_back(number());
    return array;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace attn::testing
