// The keys of a problem that only an attention reads: where there is none, they are refused.
#pragma once

#include <span>

#include "attn/problem.hpp"

namespace attn {

struct AttentionKey {
  const char* name;
  bool of_scores;  ///< it makes or changes scores, so nothing where the weights are given
  bool in_models;  ///< the attentions of a whole model read it, too
  bool (*is_given)(const ProblemDraft& draft);
};

/// Positions are apart: some are added to the input, with or without an attention after it.
std::span<const AttentionKey> attention_keys();

}  // namespace attn
