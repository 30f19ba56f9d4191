// What the numbers of a computation make worth saying.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// Notes masks without effect, what became of queries that see no key, and overflow.
void note_numbers(Trace& trace, const ProblemFacts& problem);

}  // namespace attn
