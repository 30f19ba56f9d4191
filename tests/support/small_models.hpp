// Tiny random whole models on which mistakes show.
#pragma once

#include "attn/problem.hpp"
#include "support/dice.hpp"

namespace attn::testing {

/// A kind of model: made by the dice, valid, of two layers (in each stack), with as many hidden
/// units as columns, biases, and at least four tokens.
using SmallModel = ProblemDraft (*)(Dice&);

ProblemDraft gpt2_model(Dice& dice);           // logits by the table of the embeddings
ProblemDraft untied_gpt2_model(Dice& dice);    // by a layer of their own
ProblemDraft llama_model(Dice& dice);          // 4 query heads, 2 key heads; a layer for the logits
ProblemDraft layered_llama_model(Dice& dice);  // the same; layer 0 has a window and another base,
                                               // layer 1 none, and logits have a softcap
ProblemDraft bert_model(Dice& dice);           // with predictions; the last token is padding
ProblemDraft pre_norm_translation(Dice& dice);  // nn.Transformer; the last source token is padding
ProblemDraft post_norm_translation(Dice& dice);

// Models of today, without biases where they have none.
ProblemDraft gpt_oss_model(Dice& dice);   // sinks, a window in layer 0, experts
ProblemDraft deepseek_model(Dice& dice);  // latent attention
ProblemDraft gemma2_model(Dice& dice);    // norms around branches, softcaps, a window in layer 0

}  // namespace attn::testing
