// The numbers of a mistake: which base, which factor.
#pragma once

#include <vector>

#include "attn/check.hpp"
#include "teach/check/search.hpp"

namespace attn {

/// What a candidate sets otherwise: one fact for each parameter that is a number, a word, or a list
/// of equal numbers.
std::vector<Fact> facts_of(const Trace& truth, const Candidate& candidate);

}  // namespace attn
