// What a computation makes worth saying: likely mistakes, empty rows, overflow.
#pragma once

#include "attn/trace.hpp"

namespace attn {

/// Notes what is easily a mistake in masks and weights; what became of queries that see no key; and
/// overflow.
void note_numbers(Trace& trace, const ProblemFacts& problem);

}  // namespace attn
