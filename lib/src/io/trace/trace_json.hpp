// A trace as JSON, whole or line by line.
#pragma once

#include "attn/io/trace_file.hpp"

namespace attn {

/// trace_json in pieces of a few rows.
void each_json_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);

/// trace_ndjson in the same way; each line begins a new piece, and its "\n" ends one.
void each_ndjson_line(const Trace& trace, const TraceChoice& choice, const Sink& sink);

}  // namespace attn
