#pragma once

#include <string>
#include <vector>

#include "attn/trace.hpp"
#include "io/json/value.hpp"

namespace attn {

/// Reads everything of a trace but its steps and givens into `trace`, and checks that it fits
/// together. Returns the ids of the steps, in order.
std::vector<std::string> read_trace_head(const json::Value& root, Trace& trace);

}  // namespace attn
