#pragma once

#include <string>

#include "attn/trace.hpp"
#include "io/json/value.hpp"

namespace attn {

/// Reads the object of one step and puts it behind the steps of `trace`, if it fits them.
void read_step(const json::Value& object, const std::string& id, Trace& trace);

/// The same for a given, which no operation made.
void read_given(const json::Value& object, const std::string& id, Trace& trace);

}  // namespace attn
