// Whole models computed a second time, in plain loops and without the library.
#pragma once

#include "support/oracle.hpp"

namespace attn::testing {

/// Every step of a whole model by its id, from the published descriptions: "Attention is all you
/// need" and nn.Transformer's documentation, GPT-2, BERT, Llama. Of each attention it has the steps
/// of `oracle`. The draft must be valid, its weights under their library's names in `weights`.
Steps model_oracle(const ProblemDraft& draft);

}  // namespace attn::testing
