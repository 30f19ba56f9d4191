// Merges pairs of tokens, the best first, from a queue: n tokens take n log n steps.
#include "io/tokenizer/merges.hpp"

#include <bit>
#include <queue>

namespace attn {
namespace {

std::uint64_t pair_of(Index left, Index right) {
  return (static_cast<std::uint64_t>(left) << 32) | static_cast<std::uint64_t>(right);
}

/// A merge that may be done; no longer if one of the two has been merged with another.
struct Candidate {
  std::int32_t rank;
  std::size_t at;  ///< the left one
  Index left, right, made;
  bool operator<(const Candidate& other) const {  // the queue's first is the largest
    return rank != other.rank ? rank > other.rank : at > other.at;
  }
};

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

Merges::Merges(std::size_t count) : slots_(std::bit_ceil(2 * (count + 1))) {}

/// The slot of the pair, or the one where it would be.
std::size_t Merges::place(std::uint64_t pair) const {
  const std::uint64_t mixed = (pair ^ (pair >> 29)) * 0x9E3779B97F4A7C15u;
  std::size_t at = static_cast<std::size_t>(mixed >> 20) & (slots_.size() - 1);
  while (slots_[at].pair != kEmpty && slots_[at].pair != pair) at = (at + 1) & (slots_.size() - 1);
  return at;
}

void Merges::add(Index left, Index right, Merge merge) {
  const std::uint64_t pair = pair_of(left, right);
  slots_[place(pair)] = {pair, merge};
}

const Merge* Merges::find(Index left, Index right) const {
  const Slot& slot = slots_[place(pair_of(left, right))];
  return slot.pair == kEmpty ? nullptr : &slot.merge;
}

std::vector<Index> merged(std::vector<Index> tokens, const Merges& merges) {
  const std::size_t count = tokens.size();
  std::vector<std::size_t> next(count), previous(count);
  std::priority_queue<Candidate> queue;
  const auto consider = [&](std::size_t at) {
    if (at == kNone || next[at] == kNone) return;
    const Index left = tokens[at], right = tokens[next[at]];
    if (const Merge* merge = merges.find(left, right))
      queue.push({merge->rank, at, left, right, merge->made});
  };
  for (std::size_t i = 0; i < count; ++i) {
    previous[i] = i == 0 ? kNone : i - 1;
    next[i] = i + 1 == count ? kNone : i + 1;
  }
  for (std::size_t i = 0; i < count; ++i) consider(i);
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    const std::size_t at = best.at, other = next[at];
    if (tokens[at] != best.left || other == kNone || tokens[other] != best.right) continue;
    tokens[at] = best.made;
    tokens[other] = -1;
    next[at] = next[other];
    if (next[at] != kNone) previous[next[at]] = at;
    consider(previous[at]);
    consider(at);
  }
  std::erase(tokens, -1);
  return tokens;
}

}  // namespace attn
