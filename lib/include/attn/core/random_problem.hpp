// Problems with random numbers, for practice.
#pragma once

#include <cstdint>
#include <optional>

#include "attn/problem.hpp"

namespace attn {

/// The largest size of a problem of whole numbers: more is too much to multiply by hand.
inline constexpr Index kLargestWhole = 32;

/// Sizes of a problem with random numbers; each at least 1. The defaults suit work by hand.
struct RandomProblem {
  Index tokens = 4;
  Index d_model = 6;
  std::optional<Index> heads = {};  ///< absent: one head, no head axis, and no w_o
  /// Per head. Absent: for whole numbers 4 or 1, so that √d_k is whole; for normal ones
  /// d_model / heads, or d_model / 2 without heads.
  std::optional<Index> d_k = {};
  std::optional<Index> d_v = {};  ///< per head; absent: d_k
  /// Rows of a memory, which keys and values are made from; absent: they are made from X. Whole
  /// numbers only.
  std::optional<Index> memory_tokens = {};
  std::uint64_t seed = 0;
  bool normal = false;  ///< normal numbers instead of small whole ones
};

/// Attention with random X and weights; the same `wish` gives the same numbers on every platform.
///
/// Whole numbers are from −2 to 2, and six in ten are not 0 (fewer where scores would get too
/// large). No two rows of X (or of the memory) are equal and none is zero, no column of a weight
/// matrix is zero, every score is from −8 to 8 and scaled from −3 to 3, and no query has the same
/// score for all keys, unless there is only one. Sizes up to 32.
///
/// Normal numbers are randn with `seed` for X and the next four seeds for w_q, w_k, w_v, w_o, these
/// times 1/√d_model, which keeps scores near 1. Sizes up to 1024.
///
/// Throws Error (ErrorKind::Usage): "random-size" for sizes out of range, "random-gave-up" if no
/// such numbers were found.
ProblemDraft random_draft(const RandomProblem& wish);

}  // namespace attn
