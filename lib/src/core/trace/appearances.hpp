// What makes a step appear: problems, settings and models, for the table of steps.
#pragma once

#include "attn/trace.hpp"

namespace attn {

inline constexpr Appearance kMasked{"a mask", "mask", "causal"};
inline constexpr Appearance kOpened{"softmax in separate steps", "detail", "full"};
inline constexpr Appearance kHeads{"several heads", "heads", "2"};
inline constexpr Appearance kRope{"rotary positions", "positions", "rope"};
inline constexpr Appearance kWave{"positions that are added", "positions", "sinusoidal"};
inline constexpr Appearance kAngles{"rotary positions in full detail", "detail", "full"};
inline constexpr Appearance kLatents{"latent attention"};
inline constexpr Appearance kMoreKeys{
    "\"past\" in the problem, or bias_k or add_zero_attn in its weights"};
inline constexpr Appearance kModel{"a whole model"};
inline constexpr Appearance kTables{"a table of positions, as in GPT-2 and BERT"};
inline constexpr Appearance kBertModel{"BERT"};
inline constexpr Appearance kLayers{"a whole model of any kind but attention_only"};
inline constexpr Appearance kGated{"a gated feed-forward network, as in Llama"};
inline constexpr Appearance kExperts{"a mixture of experts, as in Mixtral"};
inline constexpr Appearance kQkNorm{"a norm of queries and keys", "qk-norm", "rms"};
inline constexpr Appearance kSinks{"sinks", "sinks", "0"};
inline constexpr Appearance kGate{"w_gate in the weights"};
inline constexpr Appearance kGateOnOutput{"a gate on the output"};
inline constexpr Appearance kGranite{"\"residual_multiplier\" of a whole model, as in Granite"};
inline constexpr Appearance kChangedLogits{
    "\"logits_scaling\" or \"logits_softcap\" of a whole model, as in Granite or Gemma 2"};
inline constexpr Appearance kVocabulary{"a vocabulary, or a whole model that has one"};
inline constexpr Appearance kContributions{"contributions to the logit of a word"};
inline constexpr Appearance kCircuits{"circuits of heads"};
inline constexpr Appearance kLabels{"\"labels\" in the problem"};

}  // namespace attn
