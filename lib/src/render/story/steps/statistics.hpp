// What summaries say about the numbers of a step.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "render/story/steps/step_grids.hpp"

namespace attn {

/// The range of numbers, and how many of them are not finite.
struct Statistics {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  double sum = 0.0;
  Index finite = 0, infinite = 0, not_numbers = 0;

  void count(double x);
  /// A number about them, with `precision` decimals; "-" if none is finite.
  std::string text(double x, int precision, Notation notation) const;
};

/// How widely a head looks: means over those of its queries that attend to something.
struct HeadEntropy {
  std::string caption;   ///< "head 1"; empty for the only one
  double bits = 0.0;     ///< Σ −p·log₂ p of the weights as shares of their sum
  double most = 0.0;     ///< if all visible keys had the same weight
  Index rows = 0;        ///< how many queries; 0: the means are 0
  bool divided = false;  ///< whether some rows did not add up to 1
};

/// One of its means as text: "-" if no query attends to anything.
std::string mean_text(const HeadEntropy& head, double mean, int decimals,
                      Notation notation = Notation::Fixed);

/// Of each matrix of a step of weights that the view shows.
std::vector<HeadEntropy> head_entropies(const Trace& trace, const Step& weights, const View& view);

}  // namespace attn
