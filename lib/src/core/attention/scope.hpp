// The facts of one attention that its steps share, from the problem and from what was computed.
#pragma once

#include <memory>

#include "attn/trace.hpp"

namespace attn {

/// Tokens, settings and visibility of a problem of one attention.
Scope scope_of(const ProblemFacts& problem);

/// Settings as the recorded steps have them: a recipe may have changed or left out some.
void settle(Settings& settings, const Trace& trace);

}  // namespace attn
