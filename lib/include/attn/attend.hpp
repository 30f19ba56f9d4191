// Attention, step by step, and known ways to wire it wrongly.
#pragma once

#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "attn/trace.hpp"

namespace attn {

/// A step of its own, recorded right before another.
struct ExtraStep {
  std::string id;  ///< its last word has a row in the table of steps
  const Operation* operation;
  std::vector<std::string>
      inputs;  ///< ids, or "{0}", "{1}" … for those of the step it comes before
  Parameters parameters = {};
};

/// One computed step wired differently; what is given cannot be. What is not said stays as it was.
struct Rewiring {
  std::string step;                      ///< "scaled_scores"
  const Operation* operation = nullptr;  ///< another operation
  std::vector<std::string> inputs = {};  ///< others: ids, or "{0}", "{1}" … for its own
  Parameters parameters = {};            ///< values to set, by name
  std::vector<ExtraStep> before = {};    ///< recorded first
  bool left_out = false;                 ///< not computed: its first input takes its place
  /// Whether it applies to the step as it would be recorded; always without.
  bool (*applies)(const Operation& operation, const Parameters& parameters) = nullptr;
};

/// How the pipeline differs from correct attention: applied while steps are recorded, in this
/// order.
using Recipe = std::vector<Rewiring>;

/// Softmax in the four steps row_max, exp_scores, row_sum and weights. Changes no number.
Recipe opened_softmax();

/// Computes attention and records every step (contract section 4).
/// softmax(Q·Kᵀ/√d_k + bias, hidden where the mask is 0) · V: Vaswani et al. 2017, equation 1 and
/// section 3.2.2; agrees with PyTorch's scaled_dot_product_attention and ONNX's Attention.
/// Cannot fail without a recipe. With one, throws Error (input, id "shape-mismatch") where the
/// matrices of a rewired step do not go together.
/// std::invalid_argument or std::out_of_range for a recipe that names what is not there.
Trace attend(const Problem& problem, const Recipe& recipe = {});

}  // namespace attn
