// A random whole model being built.
#pragma once

#include <string>
#include <vector>

#include "attn/problem.hpp"
#include "support/dice.hpp"

namespace attn::testing {

/// A random model in the making, and the sizes that its parts have to agree on.
struct ModelWorkshop {
  Dice dice;
  ProblemDraft draft = {};
  std::string prefix = {};  ///< before the names of the weights
  bool has_batch = false, biases = true;
  bool last_norms = false;  ///< after each stack
  bool in_out = false;      ///< how layers are stored
  Index batch = 1, heads = 1, kv_heads = 1, layers = 1;
  Index d_model = 2, ff = 1, tokens = 1, source_tokens = 1, words = 2;
};

/// Weights of that name.
void add_weights(ModelWorkshop& shop, const std::string& name, const std::vector<Index>& shape);

/// A layer with n_in inputs and n_out outputs.
void add_layer(ModelWorkshop& shop, const std::string& name, Index n_in, Index n_out);

/// A norm: factors near 1 and, unless models of this kind have none, biases.
void add_norm(ModelWorkshop& shop, const std::string& name);

/// Up to three masks.
std::vector<MaskSpec> random_masks(Dice& dice, Index n_queries, Index n_keys,
                                   const TokenLists& key_tokens);

/// Masks, `allowed`, `bias` and `key_lengths` of the target's self-attention.
void add_target_masks(ModelWorkshop& shop);

/// Perhaps labels for the rows of the output; the first in each batch entry is a word.
void add_labels(ModelWorkshop& shop);

/// The inputs and weights of the kind.
void add_stacks(ModelWorkshop& shop);
void add_gpt2(ModelWorkshop& shop);
void add_bert(ModelWorkshop& shop);
void add_llama(ModelWorkshop& shop);

}  // namespace attn::testing
