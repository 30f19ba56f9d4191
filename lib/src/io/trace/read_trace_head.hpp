// Reads everything in a trace except its steps and givens.
#pragma once

#include <string>
#include <vector>

#include "io/trace/read_step.hpp"

namespace attn {

/// Reads title, tokens, settings and notes, and checks that they fit together. Returns the ids of
/// the steps, in order.
std::vector<std::string> read_trace_head(const json::Value& root, TraceInProgress& reading);

}  // namespace attn
