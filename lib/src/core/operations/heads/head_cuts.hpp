// Which columns belong to a head.
#pragma once

namespace attn::ops {

/// The first is right, the others are known mistakes.
inline constexpr const char* kCuts[] = {"contiguous", "interleaved", "reshaped"};

}  // namespace attn::ops
