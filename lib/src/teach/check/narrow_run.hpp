// The same computation in another number type.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// What a program computes that rounds every number to `dtype`.
Trace narrow_run(const Trace& truth, Dtype dtype);

}  // namespace attn
