// ∞ and NaN, as tests write them.
#pragma once

#include <limits>

namespace attn::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace attn::testing
