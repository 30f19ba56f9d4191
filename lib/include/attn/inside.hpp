// A look inside a whole model: traces continued by what its layers mean for what it predicts.
#pragma once

#include "attn/attend.hpp"
#include "attn/trace.hpp"

namespace attn {

/// What to add to the trace of a whole model.
struct InsideChoice {
  bool lens = false;  ///< see `add_lens`

  bool any() const { return lens; }
};

/// Adds the logit lens (nostalgebraist 2020): what the model would predict if it stopped before
/// layer i, for every layer i, and after the last one. All that comes after the last layer, from
/// its norm to the probabilities, is applied to what goes into the layer: "lens.0.norm",
/// "lens.0.logits", "lens.0.probabilities" … Those of the last number are the model's own, bit for
/// bit. The layers of an encoder have no lens. Only the numbers that `keeps` wants stay; of an
/// outline, only shapes.
/// Throws Error: usage, id "needs-model" unless the trace is a whole model that predicts words
/// and has its steps, "already-computed" if it has a lens.
void add_lens(Trace& trace, const KeepStep& keeps = {});

/// Adds all that is chosen, and throws as these functions do.
void add_inside(Trace& trace, const InsideChoice& choice, const KeepStep& keeps = {});

/// `attend`, and what is chosen. The memory of both is checked before anything is computed. The
/// numbers that the added steps are made from stay, too.
Trace attend_inside(const Problem& problem, const Recipe& recipe, const KeepStep& keeps,
                    const InsideChoice& choice);

}  // namespace attn
