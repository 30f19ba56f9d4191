// The steps of one attention.
#pragma once

#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "core/attention/recorder.hpp"

namespace attn {

/// Ids of the steps that are, or are made into, queries, keys and values.
struct AttentionInputs {
  std::string queries, keys, values;
};

/// Records every step of an attention, in the order of the paper; returns the id of its output. The
/// X and the memory of `p` do not matter; its Q, K and V, if given, take the place of `from`.
std::string record_attention(Recorder& record, const ProblemFacts& p, const AttentionInputs& from);

// What it is made of, and what comes before and after it.

/// What the problem gives: embeddings with their positions, the memory.
AttentionInputs record_inputs(Recorder& record, const ProblemFacts& p);

/// Q, K and V: projected, per head, with what is rotated, cached or added.
AttentionInputs record_qkv(Recorder& record, const ProblemFacts& p, const AttentionInputs& from);

/// From Q·Kᵀ to what softmax sees; `mask` becomes the id of the mask, if there is one.  T_q × T_k
std::string record_scores(Recorder& record, const ProblemFacts& p, const std::string& q,
                          const std::string& k, std::string& mask);

/// The heads `z` side by side, if they are an axis, times W_o, if there is one.      T_q × d_out
std::string record_output(Recorder& record, const ProblemFacts& p, std::string z);

/// X + P, if the positions are a signal that is added; else `x`.                   T × d_model
std::string record_positions(Recorder& record, const Positions& positions, const std::string& x,
                             const Shape& shape);

/// A score for every word of the vocabulary.                                      T_q × V
std::string record_logits(Recorder& record, const Projection& to_words, const std::string& output);

/// Probabilities, and the loss if there are labels.                               T_q × V, T_q × 1
void record_prediction(Recorder& record, const std::vector<Index>& labels,
                       const std::string& logits, Dtype dtype);

}  // namespace attn
