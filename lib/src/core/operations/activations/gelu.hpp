// The numbers of GELU's approximation by tanh (Hendrycks and Gimpel 2016).
#pragma once

#include <cmath>
#include <numbers>

namespace attn::ops {

inline constexpr double kGeluCubic = 0.044715;
inline const double kGeluFactor = std::sqrt(2.0 / std::numbers::pi);

}  // namespace attn::ops
