// Counts the multiplications of a computation.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// Of all matrix products of a trace without gradients: one for each term of each sum.
double multiplications(const Trace& trace);

}  // namespace attn
