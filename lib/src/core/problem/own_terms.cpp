// Rewrites a draft before anything is checked, so that the rest knows one way of saying it.
#include "core/problem/own_terms.hpp"

#include "core/problem/foreign_weights.hpp"

namespace attn {

std::optional<ProblemDraft> in_own_terms(const ProblemDraft& draft) {
  const std::optional<Index> heads = heads_in_weights(draft.weights);
  if (!heads || draft.heads) return std::nullopt;
  ProblemDraft own = draft;
  own.heads = heads;
  return own;
}

}  // namespace attn
