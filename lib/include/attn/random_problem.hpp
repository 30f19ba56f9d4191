// Problems with random numbers, for practice.
#pragma once

#include <cstdint>
#include <optional>

#include "attn/problem.hpp"

namespace attn {

/// Sizes of a problem whose numbers are left to chance; all from 1. The defaults are a sheet that a
/// person works through by hand.
struct RandomProblem {
  Index tokens = 4;
  Index d_model = 6;
  std::optional<Index> heads = {};  ///< absent: one head, no head axis, and no w_o
  std::optional<Index> d_k = {};    ///< per head; d_model / heads, without heads d_model / 2
  std::optional<Index> d_v = {};    ///< per head; as d_k
  std::uint64_t seed = 0;
  bool normal = false;  ///< normal numbers instead of small whole ones
};

/// Self attention with X and weights left to chance: the same for a wish on every platform.
///
/// Whole numbers are from −2 to 2, and six in ten are not 0 (fewer where scores would grow too
/// large). No two rows of X are equal and none is zero, no column of a weight matrix is zero, every
/// scaled score is from −3 to 3, and no query likes all keys alike. Sizes up to 32.
///
/// Normal numbers are randn with `seed` for X and the next four seeds for w_q, w_k, w_v, w_o, these
/// times 1/√d_model, which keeps scores near 1. Sizes up to 1024.
///
/// Throws Error (ErrorKind::Usage): "random-size" for sizes out of range, "random-gave-up" if no
/// such numbers were found.
ProblemDraft random_draft(const RandomProblem& wish);

}  // namespace attn
