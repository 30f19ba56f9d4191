// What is worth saying about a computation: likely mistakes, empty rows, overflow.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// Notes likely mistakes in the masks and weights of one attention, and what became of
/// queries that see no key.
void note_attention(Trace& trace, const Scope& scope, const ProblemFacts& problem);

/// Notes the first number of the trace that was too large.
void note_overflow(Trace& trace, const ProblemFacts& problem);

}  // namespace attn
