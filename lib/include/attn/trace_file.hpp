#pragma once

#include <string>

#include "attn/trace.hpp"

namespace attn {

/// The trace as JSON (contract "attn.trace", version 1.0): fixed order of keys, one matrix row per
/// line, numbers that read back bit for bit, non-finite ones as "-Infinity", "Infinity", "NaN".
/// `steps` limits which steps are written; empty: all.
std::string trace_json(const Trace& trace, const std::vector<std::string>& steps = {});

}  // namespace attn
