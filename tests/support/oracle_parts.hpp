// The oracle: what it reads from a draft.
#pragma once

#include <string>
#include <vector>

#include "attn/core/array.hpp"
#include "attn/problem.hpp"
#include "support/block.hpp"

namespace attn::testing {

/// The sizes of a draft.
struct Facts {
  bool has_batch = false, has_heads = false;
  Index batch = 1, heads = 1, kv_heads = 1;
  Index n_queries = 0, n_new = 0, n_past = 0;
  Index n_real = 0;  // n_past + n_new: what masks, biases and positions know of
  Index n_keys = 0;  // those, and the keys that bias_k and add_zero_attn put after them
  Index d_k = 0, d_v = 0;
};

Facts facts_of(const ProblemDraft& draft);

/// The labels of the keys in one batch entry: the past's in front, added ones at the end.
std::vector<std::string> key_labels(const ProblemDraft& draft, const Facts& facts, Index batch);

/// X: given, or looked up in the embedding table.
Array embeddings_of(const ProblemDraft& draft);

/// `allowed` or `bias` for every cell of N × h × T_q × T_k; its rank 3 means head × row × column if
/// there are heads. Keys past the end of a short last axis get `missing`, added keys `added`.
Block spread(const Array& array, const Facts& facts, double missing, double added);

/// The position of query 0 of each batch entry among the keys.
std::vector<Index> first_positions(const ProblemDraft& draft, const Facts& facts);

/// 1 = may attend; N × h × T_q × T_k, all masks, `allowed` and `key_lengths` together.
Block oracle_mask(const ProblemDraft& draft, const Facts& facts);

/// Whether the problem has a `mask` step.
bool has_mask(const ProblemDraft& draft);

/// Whether a `queries` mask sets this query's row of weights to zero.
bool is_padding_query(const ProblemDraft& draft, const Facts& facts, Index batch, Index query);

}  // namespace attn::testing
