// Small random problems on which mistakes show.
#pragma once

#include "attn/problem.hpp"
#include "support/dice.hpp"

namespace attn::testing {

/// Sizes of a random problem; 4 to 6 tokens unless `tokens` says otherwise.
struct SmallSizes {
  Index tokens = 0, memory = 0, batch = 0;  // 0: at random, none, none
  Index d_model = 6, heads = 2, kv_heads = 2, d_k = 3;
};

/// A kind of problem: made by the dice, valid, with scores that are from −3 to 3 after scaling
/// (except in `loud_problem`), and with all weights and biases (except in `no_w_o_problem`).
using SmallProblem = ProblemDraft (*)(Dice&);

ProblemDraft causal_problem(Dice& dice);
ProblemDraft unmasked_problem(Dice& dice);
ProblemDraft wide_heads_problem(Dice& dice);   // h·d_k ≠ d_model
ProblemDraft square_keys_problem(Dice& dice);  // T_k = d_k
ProblemDraft cross_problem(Dice& dice);        // T_k ≠ T_q
ProblemDraft equal_cross_problem(Dice& dice);  // T_k = T_q
ProblemDraft aligned_problem(Dice& dice);      // causal with more keys than queries
ProblemDraft grouped_problem(Dice& dice);      // 4 query heads, 2 key heads, causal
ProblemDraft rope_problem(Dice& dice);
ProblemDraft wide_rope_problem(Dice& dice);     // 4 pairs
ProblemDraft slow_rope_problem(Dice& dice);     // the same with base 500000
ProblemDraft partial_rope_problem(Dice& dice);  // 8 columns, of which 4 or, in pairs, 6 turn
ProblemDraft cached_rope_problem(Dice& dice);   // 3 tokens after 2 to 4 cached ones
ProblemDraft scaled_rope_problem(Dice& dice);   // 4 pairs, stretched as YaRN or LongRoPE do
ProblemDraft far_rope_problem(Dice& dice);      // at positions that bfloat16 does not have
ProblemDraft sinusoidal_problem(Dice& dice);
ProblemDraft alibi_problem(Dice& dice);         // 4 heads
ProblemDraft three_slopes_problem(Dice& dice);  // 3 heads
ProblemDraft window_problem(Dice& dice);
ProblemDraft padded_problem(Dice& dice);
ProblemDraft capped_problem(Dice& dice);
ProblemDraft blind_problem(Dice& dice);  // causal, and nobody sees key 0: the first query sees none
ProblemDraft batch_problem(Dice& dice);
ProblemDraft unmasked_batch_problem(Dice& dice);
ProblemDraft batch_padded_problem(Dice& dice);  // key_lengths hides two keys of one entry
ProblemDraft loud_problem(Dice& dice);          // scores beyond 709
ProblemDraft no_w_o_problem(Dice& dice);
ProblemDraft other_scale_problem(Dice& dice);    // 1/d_k, or another number
ProblemDraft unscaled_problem(Dice& dice);       // no scale
ProblemDraft biased_problem(Dice& dice);         // causal, with a given bias
ProblemDraft two_masks_problem(Dice& dice);      // causal, and the last keys are hidden
ProblemDraft grouped_batch_problem(Dice& dice);  // grouped heads, key_lengths for one entry
ProblemDraft cached_problem(Dice& dice);         // 2 new tokens after 3 or 4 cached ones, no mask
ProblemDraft huge_problem(Dice& dice);           // scores beyond 65504
ProblemDraft huge_output_problem(Dice& dice);    // an output beyond 65504
ProblemDraft normed_problem(Dice& dice);         // RMS or layer norm of each head, with RoPE
ProblemDraft wide_norm_problem(Dice& dice);      // RMS norm over all heads together
ProblemDraft sink_problem(Dice& dice);           // causal, a sink for each head
ProblemDraft capped_sink_problem(Dice& dice);    // the same, with a softcap
ProblemDraft gated_problem(Dice& dice);          // a gate on context or concat

}  // namespace attn::testing
