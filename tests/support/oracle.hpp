// The oracle: attention computed a second time, in plain loops and without the library.
#pragma once

#include <map>
#include <string>

#include "attn/core/array.hpp"
#include "attn/problem.hpp"

namespace attn::testing {

/// What a trace should hold: step id → its numbers, in the shape of the trace.
using Steps = std::map<std::string, Array>;

/// Attention once more, in plain loops straight from the draft: every step that applies, and no
/// other. Shares no code with the library, so that both are unlikely to be wrong in the same way.
/// The draft must be valid.
Steps oracle(const ProblemDraft& draft, bool open_softmax);

/// Whether some query has nothing to attend to: no visible key, mask and −∞ in the bias taken
/// together, and no sink.
bool has_empty_row(const ProblemDraft& draft);

}  // namespace attn::testing
