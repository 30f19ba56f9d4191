// Hints about one cell that somebody fills in.
#pragma once

#include <string>

#include "attn/trace.hpp"

namespace attn::app {

/// "Q = X·W_q: what each token is looking for."
std::string headline_hint(const Trace& truth, const Step& step);

/// How a cell is made, in words.
std::string hint_in_words(const Trace& truth, const Step& step);

/// "Q[the, q0] = 0·1 + 1·0 = ?": the arithmetic of a cell without its result; empty if nothing is
/// computed there.
std::string arithmetic_hint(const Trace& truth, const Step& step, const Cell& cell, int decimals);

}  // namespace attn::app
