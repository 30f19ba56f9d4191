// Errors about steps that a trace does not have, or has already.
#pragma once

#include <string>

#include "attn/error.hpp"
#include "attn/trace.hpp"

namespace attn {

/// "; did you mean \"A\"?" for the id or symbol of a step of the trace that resembles `name` or
/// differs only in capital letters; otherwise "".
std::string meant_step(const Trace& trace, const std::string& name);

/// Says in the fix which settings would make the step of that id or symbol appear in the trace, or
/// that no gradient of that id exists. Returns whether there was anything to say.
bool add_how_to_get(Diagnostic& diagnostic, const Trace& trace, const std::string& name);

/// The trace has no step of that id or symbol. Error (usage, id "no-such-step").
Error missing_step(const Trace& trace, const std::string& name);

/// The trace has `things` already, such as the step `id`. Error (usage, id "already-computed").
Error already_computed(const std::string& things, const std::string& id = "");

}  // namespace attn
