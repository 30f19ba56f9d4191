// Mistakes whose numbers are read off the answers: the fill that somebody chose.
#pragma once

#include <vector>

#include "teach/check/search.hpp"

namespace attn {

/// Fills that do not hide, written or added in place of −∞, as the answers show them.
std::vector<Candidate> estimated_fills(const Trace& truth, const Evaluation& follows,
                                       const std::vector<GradedAnswer>& answers);

}  // namespace attn
