// Parameters of operations as JSON.
#pragma once

#include "attn/operation.hpp"
#include "io/json/value.hpp"
#include "io/json/writer.hpp"

namespace attn {

/// The member "parameters" of a step, {"mode": "replace", "fill": "-Infinity"}; nothing if the
/// operation has none.
void write_parameters(json::Writer& out, const Operation& operation, const Parameters& parameters);

/// Whether an operation cannot do without parameters.
bool needs_parameters(const Operation& operation);

/// The member "parameters" of a schema: their rules.
void write_parameter_rules(json::Writer& out, const Operation& operation);

/// Reads them back. `step` is the object whose key "parameters" holds them. Unknown keys are
/// ignored.
Parameters read_parameters(const json::Value& step, const Operation& operation);

}  // namespace attn
