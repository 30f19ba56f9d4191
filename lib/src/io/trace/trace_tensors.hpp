// A trace as NumPy and safetensors files.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// Every step as an array of its own name, in .npz and .safetensors; numbers only, no words.
std::string trace_npz(const Trace& trace, const std::vector<std::string>& steps);
std::string trace_safetensors(const Trace& trace, const std::vector<std::string>& steps);

/// One step in .npy. Throws Error (usage, id "one-step") unless exactly one is chosen.
std::string trace_npy(const Trace& trace, const std::vector<std::string>& steps);

}  // namespace attn
