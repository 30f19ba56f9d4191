// A random draft being built.
#pragma once

#include "attn/problem.hpp"
#include "support/dice.hpp"

namespace attn::testing {

/// A random draft in the making, and the sizes that its parts have to agree on.
struct Workshop {
  Dice dice;
  ProblemDraft draft = {};
  bool has_batch = false, has_heads = false;
  Index batch = 1, heads = 1, kv_heads = 1;
  Index n_queries = 1, n_new = 1, n_past = 0, n_keys = 1;  // n_keys without those added at the end
  Index d_model = 1, d_k = 1, d_v = 1;
  std::optional<Index> rope_dim = {};  // of latent attention: how many of the d_k columns may turn
};

/// Now and then the weights of latent attention in place of W_q, W_k and W_v.
void choose_latent(Workshop& shop, Dice dice);

/// Masks of all kinds, `allowed`, `bias` (all ranks), `key_lengths`, `align`.
void choose_masks(Workshop& shop);

/// Now and then cuts off the last keys of `allowed` or `bias`.
void shorten_masks(Workshop& shop);

/// A kind of positions that the problem can have, with some of its parameters.
void choose_positions(Workshop& shop);

/// A norm of queries and keys, of any kind, with gains of any shape.
void choose_qk_norm(Workshop& shop);

/// Sinks, one or one for each head, among the weights or beside them.
void choose_sinks(Workshop& shop);

/// A gate on any part, with any activation.
void choose_gate(Workshop& shop);

/// Other kinds in place of those that are chosen: T5's and learned ones, waves in another order.
void choose_other_kinds(Workshop& shop, Dice& dice);

/// bias_k and bias_v, add_zero_attn.
void choose_extra_keys(Workshop& shop);

}  // namespace attn::testing
