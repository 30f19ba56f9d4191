// The merges of byte-pair encoding.
#pragma once

#include <cstdint>
#include <vector>

#include "attn/tensor.hpp"

namespace attn {

/// What two neighbouring tokens become, and when: those of the smallest rank first.
struct Merge {
  std::int32_t rank = -1, made = -1;
};

/// A table of merges by the ids of both tokens.
class Merges {
 public:
  explicit Merges(std::size_t count);
  /// Of two merges of the same pair, the last counts.
  void add(Index left, Index right, Merge merge);
  /// nullptr if the two do not merge.
  const Merge* find(Index left, Index right) const;

 private:
  struct Slot {
    std::uint64_t pair = kEmpty;
    Merge merge = {};
  };
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  std::size_t place(std::uint64_t pair) const;
  std::vector<Slot> slots_;
};

/// The tokens that these become when they are merged for as long as any two of them can be.
std::vector<Index> merged(std::vector<Index> tokens, const Merges& merges);

}  // namespace attn
