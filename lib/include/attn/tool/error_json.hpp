// Errors as JSON, for programs.
#pragma once

#include <string>

#include "attn/error.hpp"

namespace attn {

/// The error for programs: one line of JSON that ends with "\n",
/// {"errors": [{"id", "what", "places": [{"file", "line", "column", "pointer", "remark"}], "rule",
/// "fix", "help"}]}. All diagnostics are there; what is unknown or empty is left out of each.
std::string error_json(const Error& error);

}  // namespace attn
