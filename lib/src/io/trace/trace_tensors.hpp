// A trace as NumPy and safetensors files.
#pragma once

#include "attn/io/trace_file.hpp"

namespace attn {

/// Every chosen step as an array named after it, in .npz and .safetensors; numbers only, no words.
void each_npz_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);
void each_safetensors_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);

/// One step in .npy. Throws Error (usage, id "one-step") unless exactly one is chosen.
void each_npy_piece(const Trace& trace, const TraceChoice& choice, const Sink& sink);

}  // namespace attn
