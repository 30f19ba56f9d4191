// Draws tokens by their probabilities.
#pragma once

#include <random>
#include <span>
#include <string>

#include "attn/generate.hpp"

namespace attn {

/// Draws one token after the other.
class Drawing {
 public:
  explicit Drawing(const TokenDraw& draw) : draw_(draw), numbers_(draw.seed) {}
  /// The index of one of the probabilities, which are finite.
  Index next(std::span<const double> probabilities);

 private:
  TokenDraw draw_;
  std::mt19937_64 numbers_;
};

/// "Drawn at temperature 0.8 from the 40 most probable tokens (seed 1)."
std::string how_drawn(const TokenDraw& draw);

}  // namespace attn
