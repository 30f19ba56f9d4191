// Traces as JSON Lines.
#pragma once

#include "attn/io/shared_bytes.hpp"

namespace attn {

/// What trace_ndjson writes as the object that trace_json writes, with each step in the same line
/// of the text. Any other text stays as it is.
SharedBytes joined_lines(const SharedBytes& text);

}  // namespace attn
