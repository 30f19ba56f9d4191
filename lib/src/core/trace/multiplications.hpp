// Counts the multiplications of a computation.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// Of all matrix products of a trace without gradients, or of those whose first factor has that id:
/// one for each term of each sum.
double multiplications(const Trace& trace, std::string_view first_factor = "");

}  // namespace attn
