#pragma once

#include <string>

#include "attn/explain.hpp"

namespace attn {

/// The query and the key that all worked cells of a document are about, so that one can follow a
/// number from step to step.
struct Focus {
  Index batch = 0, head = 0;
  Index query = 0, key = 0;
};

/// A query and a key whose scores and weight teach something: not 0, not 1, not hidden; in the
/// second row if possible, where a causal mask leaves a choice.
Focus choose_focus(const Trace& trace, const View& view);

/// The cell of `step` that belongs to the focus; of masked scores a hidden one, if there is any.
Cell focus_cell(const Trace& trace, const Step& step, const Focus& focus);

/// "A[cat, the] = e^1 / (e^1 + e^2.5) = 2.718 / 14.901 = 0.182", with the reason behind it if the
/// cell is hidden. Long sums are shortened to `most_terms` terms; 0 = never.
std::string worked_text(const Trace& trace, const Step& step, const Cell& cell, int precision,
                        std::size_t most_terms);

}  // namespace attn
