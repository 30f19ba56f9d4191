// The facts of one attention that its steps share, from the problem and from what was computed.
#pragma once

#include <memory>

#include "attn/trace.hpp"

namespace attn {

/// Tokens, settings and visibility of a problem of one attention.
Scope scope_of(const ProblemFacts& problem);

/// What is said of the scores (scale, softcap, masks, fill) as the recorded steps have it: a recipe
/// may have changed or left out some. Other settings are those of the problem.
void settle(Scope& scope, const Trace& trace);

}  // namespace attn
