// What is worth saying about a computation: likely mistakes, empty rows, overflow.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// Notes likely mistakes in the masks and weights of one attention, settings without effect, and
/// what became of queries that see no key.
void note_attention(Trace& trace, const Scope& scope, const ProblemFacts& problem);

/// Notes the first step or given with a number that was too large.
void note_overflow(Trace& trace, const ProblemFacts& problem);

}  // namespace attn
