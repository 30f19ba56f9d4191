// Families with mixtures of experts: the names of their parts, and how their routers choose.
#pragma once

#include "core/problem/model_kinds.hpp"

namespace attn {

inline constexpr ModuleName kMixtralModules[] = {
    {"norm1", "input_layernorm"},
    {"norm2", "post_attention_layernorm"},
    {"router", "block_sparse_moe.gate"},
    {"expert.#.linear1", "block_sparse_moe.experts.#.w1"},
    {"expert.#.linear2", "block_sparse_moe.experts.#.w2"},
    {"expert.#.linear3", "block_sparse_moe.experts.#.w3"},
    {"norm", "norm"},
    {"token_table", "embed_tokens"},
    {"logits", "lm_head"},
};

/// Qwen2-MoE, Qwen3-MoE; layers without a router have a feed-forward network of their own.
inline constexpr ModuleName kQwenMoeModules[] = {
    {"norm1", "input_layernorm"},
    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_proj"},
    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},
    {"router", "mlp.gate"},
    {"expert.#.linear1", "mlp.experts.#.gate_proj"},
    {"expert.#.linear2", "mlp.experts.#.down_proj"},
    {"expert.#.linear3", "mlp.experts.#.up_proj"},
    {"shared.linear1", "mlp.shared_expert.gate_proj"},
    {"shared.linear2", "mlp.shared_expert.down_proj"},
    {"shared.linear3", "mlp.shared_expert.up_proj"},
    {"shared.router", "mlp.shared_expert_gate"},
    {"norm", "norm"},
    {"token_table", "embed_tokens"},
    {"logits", "lm_head"},
};

inline constexpr ModuleName kDeepSeekModules[] = {
    {"norm1", "input_layernorm"},
    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_proj"},
    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},
    {"router", "mlp.gate"},
    {"router_bias", "mlp.gate.e_score_correction_bias"},
    {"expert.#.linear1", "mlp.experts.#.gate_proj"},
    {"expert.#.linear2", "mlp.experts.#.down_proj"},
    {"expert.#.linear3", "mlp.experts.#.up_proj"},
    {"shared.linear1", "mlp.shared_experts.gate_proj"},
    {"shared.linear2", "mlp.shared_experts.down_proj"},
    {"shared.linear3", "mlp.shared_experts.up_proj"},
    {"norm", "norm"},
    {"token_table", "embed_tokens"},
    {"logits", "lm_head"},
};

/// All experts in one tensor: in × out, with gate and up in turn.
inline constexpr ModuleName kGptOssModules[] = {
    {"norm1", "input_layernorm"},
    {"norm2", "post_attention_layernorm"},
    {"router", "mlp.router"},
    {"expert.#.linear1", "mlp.experts.gate_up_proj"},
    {"expert.#.linear2", "mlp.experts.down_proj"},
    {"expert.#.linear3", "mlp.experts.gate_up_proj"},
    {"norm", "norm"},
    {"token_table", "embed_tokens"},
    {"logits", "lm_head"},
};

inline constexpr RouterForm kMixtralRouter{};
inline constexpr RouterForm kQwen2Router{.renormalize = false, .per_token = 4};
inline constexpr RouterForm kQwen3Router{.renormalize = false, .per_token = 8};
inline constexpr RouterForm kDeepSeekV2Router{.renormalize = false, .per_token = 6};
inline constexpr RouterForm kDeepSeekV3Router{.sigmoid = true, .group_sum = true, .per_token = 8};
inline constexpr RouterForm kGptOssRouter{.clamped = true, .per_token = 4};

inline constexpr const char* kLatentAttention[] = {"kv_a_proj_with_mqa.weight", "kv_b_proj.weight",
                                                   "o_proj.weight"};

}  // namespace attn
