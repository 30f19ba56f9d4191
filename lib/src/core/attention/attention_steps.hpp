// The steps of one attention.
#pragma once

#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "core/attention/recorder.hpp"

namespace attn {

/// Ids of the steps that queries, keys and values are made from.
struct AttentionInputs {
  std::string queries, keys, values;
};

/// Records every step of an attention, in the order of the paper; the id of its output. The inputs
/// of `p` itself do not matter, only its projections, masks and settings.
std::string record_attention(Recorder& record, const ProblemFacts& p, const AttentionInputs& from);

/// X + P, if the positions are a signal that is added; else `x`.                   T × d_model
std::string record_positions(Recorder& record, const Positions& positions, const std::string& x,
                             const Shape& shape);

/// A score for every word of the vocabulary.                                      T_q × V
std::string record_logits(Recorder& record, const Projection& to_words, const std::string& output);

/// Probabilities, and the loss if there are labels.                               T_q × V, T_q × 1
void record_prediction(Recorder& record, const std::vector<Index>& labels,
                       const std::string& logits, Dtype dtype);

}  // namespace attn
