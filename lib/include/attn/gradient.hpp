// Gradients: a trace continued backwards.
#pragma once

#include <optional>
#include <string>

#include "attn/attend.hpp"
#include "attn/core/array.hpp"
#include "attn/trace.hpp"

namespace attn {

/// What to compute gradients of, and how much of it to show.
struct GradientChoice {
  /// The gradient of the loss with respect to the output, in its shape; only without labels. By
  /// default the loss is the sum of the output, for a single attention without a vocabulary.
  std::optional<Array> upstream = std::nullopt;
  std::string source = {};  ///< where `upstream` comes from, for messages
  bool parts = false;       ///< each path to a sum is a separate step
};

/// Continues a trace backwards: a step `<id>.grad` for everything that the loss depends on, in
/// reverse order of the computation. The gradients of what is given (w_q, b_q …) follow that of the
/// first step made from it. Of an outline, only shapes.
/// Throws Error: usage, id "gradient-source" if it is unclear what the loss is, "already-computed"
/// if there are gradients; input, id "shape-mismatch" for an upstream of another shape,
/// "no-gradient" for a step that is a known mistake, and if a mistake leaves no output.
void add_gradients(Trace& trace, const GradientChoice& choice = {});

/// The same within `max_memory` bytes. Throws Error (input, id "too-large"), before anything is
/// computed, if trace and gradients would take more.
void add_gradients_within(double max_memory, Trace& trace, const GradientChoice& choice);

/// Both: `attend` with all numbers, and its gradients. The memory of both is checked before
/// anything is computed.
Trace attend_and_back(const Problem& problem, const Recipe& recipe, const GradientChoice& choice);

}  // namespace attn
