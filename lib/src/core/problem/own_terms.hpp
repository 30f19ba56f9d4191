// What a draft says in the way of other material, in attn's own terms.
#pragma once

#include <optional>

#include "attn/problem.hpp"

namespace attn {

/// The draft with the number of heads that its weights say, or nothing if there is nothing to
/// rewrite.
std::optional<ProblemDraft> in_own_terms(const ProblemDraft& draft);

}  // namespace attn
