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

/// Q, K and V: projected, per head, with what is normalised, rotated, cached or added.
AttentionInputs record_qkv(Recorder& record, const ProblemFacts& p, const AttentionInputs& from);

/// The latents that queries, keys and values are made from.                     T × rank
AttentionInputs record_latents(Recorder& record, const Latent& latent, const AttentionInputs& from);

/// Keys per head, made from a latent, beside those for RoPE, made from `x`.     h × T_k × d_k
std::string record_latent_keys(Recorder& record, const ProblemFacts& p, const std::string& x,
                               const std::string& latent);

/// X·W + b, where the weights are called w_… and b_….                              T × d_out
std::string record_linear(Recorder& record, const std::string& id, const std::string& x,
                          const Projection& by, const std::string& weight);

/// T × h·d cut into h matrices of T × d, if there are heads.
std::string record_heads(Recorder& record, const std::string& id, const std::string& x,
                         std::optional<Index> heads);

/// From Q·Kᵀ to what softmax sees; `mask` becomes the id of the mask, if there is one.  T_q × T_k
std::string record_scores(Recorder& record, const ProblemFacts& p, const std::string& q,
                          const std::string& k, std::string& mask);

/// The heads `z` side by side, if they are an axis, times W_o, if there is one; `gate` is the id of
/// what multiplies one of these, if there is a gate.                                T_q × d_out
std::string record_output(Recorder& record, const ProblemFacts& p, std::string z,
                          const std::string& gate = "");

/// X + P, if the positions are a signal that is added; else `x`.                   T × d_model
std::string record_positions(Recorder& record, const Positions& positions, const std::string& x,
                             const Shape& shape);

/// A score for every word of the vocabulary.                                      T_q × V
std::string record_logits(Recorder& record, const Projection& to_words, const std::string& output);

/// Probabilities, and the loss if there are labels.                               T_q × V, T_q × 1
void record_prediction(Recorder& record, const std::vector<Index>& labels,
                       const std::string& logits, Dtype dtype);

}  // namespace attn
