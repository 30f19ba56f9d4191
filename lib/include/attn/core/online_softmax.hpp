// Attention over blocks of keys, without a matrix of all scores: the idea of FlashAttention.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "attn/trace.hpp"

namespace attn {

/// What is known of one query after some keys: enough to go on with the next block, and to finish.
struct OnlineRow {
  double maximum = -std::numeric_limits<double>::infinity();  ///< the largest score so far
  double sum = 0.0;                                           ///< Σ e^(score − maximum) so far
  std::vector<double> output;  ///< Σ e^(score − maximum)·value so far; d_v numbers

  /// Adds some keys. Earlier terms were divided by e^(old maximum), so they are multiplied by
  /// e^(old maximum − new maximum), which is returned: 0 before the first visible key.
  double add(std::span<const double> scores, std::span<const std::span<const double>> values);
};

/// A block of keys, and the row after it.
struct OnlineBlock {
  Index first = 0;             ///< its first key
  std::vector<double> scores;  ///< what softmax sees of its keys
  double rescale = 0.0;        ///< what the row was multiplied by before they were added
  OnlineRow row;
};

/// Softmax and the weighted sum of values for one query of a computed attention, `block` keys at a
/// time; `query` gives batch entry, head and row. The last block's output / sum is the row of A·V.
/// Masks that act after softmax are not applied. Milakov and Gimelshein 2018, algorithm 3; Dao et
/// al. 2022, section 3.1.
/// Throws std::invalid_argument for a block below 1, and for weights that softmax does not make.
std::vector<OnlineBlock> online_softmax(const Trace& trace, const Cell& query, Index block);

}  // namespace attn
