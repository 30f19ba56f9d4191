// The facts of one attention that its steps share, from the problem and from what was computed.
#pragma once

#include <memory>

#include "attn/trace.hpp"

namespace attn {

/// Tokens, settings and visibility of a problem.
Scope scope_of(const ProblemFacts& problem);

/// The settings of the scores (scale, softcap, masks, masking, fill) follow the recorded steps,
/// which a recipe may have changed or left out. Other settings are those of the problem.
void settle(Scope& scope, const Trace& trace);

}  // namespace attn
