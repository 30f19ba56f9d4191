// What the kinds of positions and of masking have in common.
#pragma once

#include "attn/problem.hpp"

namespace attn {

inline bool is_rotary(PositionKind kind) {
  return kind == PositionKind::Rope || kind == PositionKind::RopeInterleaved;
}

/// Modes replace and add change scores; multiply and renormalize change weights.
inline bool acts_before_softmax(MaskingMode mode) {
  return mode == MaskingMode::Replace || mode == MaskingMode::Add;
}

}  // namespace attn
