// Random whole numbers, the same on every platform.
#pragma once

#include <cstdint>
#include <random>

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

  /// True in `percent` of 100 cases.
  bool chance(int percent) { return between(1, 100) <= percent; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace attn
