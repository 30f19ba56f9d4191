// Gradients of a computation that was wired differently.
#pragma once

#include <functional>
#include <string>

#include "attn/trace.hpp"

namespace attn {

inline bool is_gradient(const Step& step) { return step.info().role == StepRole::Gradient; }

/// Records a share as the gradient of `owner`, or part number `part` of it.
using RecordShare = std::function<void(const Step& owner, const std::string& part, Share share)>;

/// Continues `made`, which is `before` wired differently, backwards from the same gradient, which
/// it has. Throws Error (input, id "no-gradient") at the first step that has none.
void repeat_gradients(Trace& made, const Trace& before, const RecordShare& record);

}  // namespace attn
