// Random whole numbers, the same on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace attn {

/// Random whole numbers, the same for a seed on every platform: the standard prescribes the bits of
/// the generator but not what its distributions make of them, so that is done here.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}

  /// A number from `low` to `high`, both included, all equally likely.
  int between(int low, int high) {
    const auto count = static_cast<std::uint64_t>(high - low) + 1;
    const std::uint64_t rest = (UINT64_MAX % count + 1) % count;  // 2⁶⁴ mod count
    std::uint64_t bits = engine_();
    while (bits > UINT64_MAX - rest) bits = engine_();  // the rest would favour small numbers
    return low + static_cast<int>(bits % count);
  }

  /// The numbers below `count` in random order.
  std::vector<std::size_t> order(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i) {
      const auto j = static_cast<std::size_t>(between(0, static_cast<int>(i) - 1));
      std::swap(numbers[i - 1], numbers[j]);
    }
    return numbers;
  }

  /// True in `percent` of 100 cases.
  bool chance(int percent) { return between(1, 100) <= percent; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace attn
