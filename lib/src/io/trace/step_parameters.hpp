// Parameters of operations as JSON.
#pragma once

#include <string>

#include "attn/operation.hpp"
#include "io/json/value.hpp"

namespace attn {

/// The parameters of an operation as a JSON object, {"mode": "replace", "fill": "-Infinity"}; empty
/// if it has none.
std::string parameters_json(const Operation& operation, const Parameters& parameters);

/// Whether an operation cannot do without parameters.
bool needs_parameters(const Operation& operation);

/// Their rules in a schema, closed at `indent`.
std::string parameters_schema(const Operation& operation, std::size_t indent);

/// Reads them back. `step` is the object whose key "parameters" holds them. Unknown keys are
/// ignored.
Parameters read_parameters(const json::Value& step, const Operation& operation);

}  // namespace attn
