// What one call of a random generator draws.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

enum class DrawKind {
  Uniform,   ///< from 0 to below 1
  Normal,    ///< with mean 0 and standard deviation 1
  Integers,  ///< from `low` to below `high`
  Linear,    ///< as nn.Linear is initialised
};

/// So many numbers of a kind. A generator draws the numbers of one call together, so that 16
/// numbers may differ from four times 4.
struct Draw {
  DrawKind kind = DrawKind::Uniform;
  std::size_t count = 1;
  std::int64_t low = 0, high = 2;  ///< Integers: less than 2²⁸ apart
  std::int64_t inputs = 1;         ///< Linear: in_features
  bool bias = false;               ///< Linear: the bias, not the weight
  double std = 1.0;                ///< multiplies each number
};

}  // namespace attn
