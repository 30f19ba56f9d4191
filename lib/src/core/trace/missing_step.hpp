#pragma once

#include <string>

#include "attn/error.hpp"
#include "attn/trace.hpp"

namespace attn {

/// "; did you mean \"A\"?" for the id or symbol of a step of the trace that is near `name`, or that
/// differs in nothing but capital letters; else "".
std::string meant_step(const Trace& trace, const std::string& name);

/// "It appears with --mask causal." for the id or symbol of a step that other settings would bring
/// about; else "".
std::string how_to_get(const std::string& name);

/// The trace has no step of that id or symbol. Error (usage, id "no-such-step").
Error missing_step(const Trace& trace, const std::string& name);

}  // namespace attn
