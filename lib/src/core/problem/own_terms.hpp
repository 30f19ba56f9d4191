// What a draft says in the way of other material, in attn's own terms.
#pragma once

#include <optional>

#include "attn/problem.hpp"

namespace attn {

/// The draft with the number of heads that its weights say, tokens in rows, allowed in place of
/// hidden, and stand-ins for the queries and keys of given attention weights; nothing if nothing is
/// to be rewritten. Throws Error (ids "two-inputs", "missing-key", "rank", "out-of-range").
std::optional<ProblemDraft> in_own_terms(const ProblemDraft& draft);

}  // namespace attn
