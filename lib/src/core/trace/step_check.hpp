// Whether a step that was read fits the steps before it.
#pragma once

#include <optional>

#include "attn/error.hpp"
#include "attn/trace.hpp"

namespace attn {

/// What keeps `step` from standing behind the steps and givens of `trace`: an input that is not
/// there, a shape that its operation cannot have made, a size that the settings contradict. The
/// place is a pointer below the step ("/inputs/1", "/shape"). Nothing for whatever `attend`
/// records; a trace whose steps all fit can be explained without looking at any of this again. The
/// numbers are not computed again.
std::optional<Diagnostic> misfit(const Trace& trace, const Step& step);

}  // namespace attn
