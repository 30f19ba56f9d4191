// Checks that a step that was read fits the steps before it.
#pragma once

#include <optional>

#include "attn/error.hpp"
#include "attn/trace.hpp"

namespace attn {

/// What to do about a trace that attn cannot have written.
inline constexpr const char* kRewrite = "Write the trace again with attn.";

/// Why `step` cannot follow the steps and givens of `trace`: a missing input, a shape that its
/// operation cannot have made, a size that the settings contradict. The place is a pointer below
/// the step ("/inputs/1", "/shape"). Nothing for whatever `attend` records; a trace whose steps all
/// fit needs no further checks. The numbers are not computed again.
std::optional<Diagnostic> misfit(const Trace& trace, const Step& step);

}  // namespace attn
