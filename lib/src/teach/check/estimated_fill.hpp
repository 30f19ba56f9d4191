// Mistakes whose numbers are read off the answers: the fill that somebody chose, the keys hidden.
#pragma once

#include <vector>

#include "teach/check/search.hpp"

namespace attn {

/// Fills that do not hide, written or added in place of −∞, as the answers show them; in a whole
/// model those of each attention, in all attentions and there alone.
std::vector<Candidate> estimated_fills(const Case& known);

/// The padding of other sequences, where batch entries differ: as many of the last keys as are
/// hidden in the answers of an attention.
std::vector<Candidate> estimated_paddings(const Case& known);

}  // namespace attn
