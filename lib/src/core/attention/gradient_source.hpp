// Where gradients begin: what the loss is.
#pragma once

#include <string>

#include "attn/gradient.hpp"

namespace attn {

/// A step, and how the loss changes with it.
struct GradientSource {
  std::string id;
  Tensor gradient;
  std::string note;  ///< what the loss is
};

/// The mean loss where there are labels, else the output; errors as in `add_gradients`.
GradientSource gradient_source(const Trace& trace, const GradientChoice& choice);

}  // namespace attn
