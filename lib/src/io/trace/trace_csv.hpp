// The table of a trace for writers of formats.
#pragma once

#include "attn/io/trace_file.hpp"

namespace attn {

/// trace_csv in pieces of a few lines.
void each_csv_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);

}  // namespace attn
