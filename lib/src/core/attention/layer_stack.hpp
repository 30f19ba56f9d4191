// Where the layers of a whole model begin and end, and what makes logits of them.
#pragma once

#include <string>
#include <vector>

#include "attn/error.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The scopes of lenses are "lens.0", "lens.1" …
inline constexpr const char* kLens = "lens";

/// The layers that lead to the logits, and what comes after them. Ids of steps.
struct LayerStack {
  std::vector<std::string> residuals;  ///< what goes into each layer, then what the last one makes
  std::vector<std::string>
      head;  ///< made from the last residual, up to the probabilities; no copies
};

/// The error (usage, id "needs-model") that `what`, the beginning of a sentence, needs a model that
/// predicts words, "and this " + `lacks`.
Error needs_model(const std::string& what, const char* lacks);

/// Throws Error (usage, id "needs-model") unless the trace is a whole model that predicts words;
/// `what` begins the sentence: "a lens".
LayerStack layer_stack(const Trace& trace, const std::string& what);

/// Computes the step, or only its shape if an input is an outline or no `numbers` are wanted, and
/// adds it to the trace. `own` is its shape where that does not follow from the inputs. Returns its
/// id. Throws Error (usage, id "needs-model") if the trace, read from a file with some of the
/// steps, lacks an input.
std::string append_step(Trace& trace, Step step, const Shape& own = {}, bool numbers = true);

}  // namespace attn
