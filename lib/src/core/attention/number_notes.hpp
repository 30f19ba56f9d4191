// What is worth saying about a computation: likely mistakes, empty rows, overflow.
#pragma once

#include "attn/attend.hpp"

namespace attn {

/// Notes likely mistakes in the masks and weights of one attention, settings without effect, and
/// what became of queries that see no key.
void note_attention(Trace& trace, const Scope& scope, const ProblemFacts& problem);

/// What to keep until then: the weights as well, if a query sees no key. It refers to `keeps`.
KeepStep kept_until_noted(const ProblemFacts& problem, const KeepStep& keeps);

/// Notes the first step or given with a number that was too large.
void note_overflow(Trace& trace, const ProblemFacts& problem);

}  // namespace attn
