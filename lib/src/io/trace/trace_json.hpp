// A trace as JSON, line by line.
#pragma once

#include "attn/trace_file.hpp"

namespace attn {

/// trace_ndjson line by line, each with its "\n".
void each_ndjson_line(const Trace& trace, const TraceChoice& choice, const Sink& sink);

}  // namespace attn
