// Families with mixtures of experts: the names of their parts, and how their routers choose.
#pragma once

#include "core/problem/model_kinds.hpp"

namespace attn {

/// Keys of "model" beside those of all language models.
inline constexpr std::string_view kExpertKeys = "rope_base num_experts_per_tok norm_topk_prob";
inline constexpr std::string_view kGroupedExpertKeys =
    "rope_base num_experts_per_tok norm_topk_prob n_group topk_group routed_scaling_factor";

inline constexpr ModuleName kMixtralModules[] = {
    {"router", "block_sparse_moe.gate"},
    {"expert.#.linear1", "block_sparse_moe.experts.#.w1"},
    {"expert.#.linear2", "block_sparse_moe.experts.#.w2"},
    {"expert.#.linear3", "block_sparse_moe.experts.#.w3"},
};

/// Qwen2-MoE, Qwen3-MoE; layers without a router have a feed-forward network of their own.
inline constexpr ModuleName kQwenMoeModules[] = {
    {"router", "mlp.gate"},
    {"expert.#.linear1", "mlp.experts.#.gate_proj"},
    {"expert.#.linear2", "mlp.experts.#.down_proj"},
    {"expert.#.linear3", "mlp.experts.#.up_proj"},
    {"shared.linear1", "mlp.shared_expert.gate_proj"},
    {"shared.linear2", "mlp.shared_expert.down_proj"},
    {"shared.linear3", "mlp.shared_expert.up_proj"},
    {"shared.router", "mlp.shared_expert_gate"},
};

inline constexpr ModuleName kDeepSeekModules[] = {
    {"router", "mlp.gate"},
    {"router_bias", "mlp.gate.e_score_correction_bias"},
    {"expert.#.linear1", "mlp.experts.#.gate_proj"},
    {"expert.#.linear2", "mlp.experts.#.down_proj"},
    {"expert.#.linear3", "mlp.experts.#.up_proj"},
    {"shared.linear1", "mlp.shared_experts.gate_proj"},
    {"shared.linear2", "mlp.shared_experts.down_proj"},
    {"shared.linear3", "mlp.shared_experts.up_proj"},
};

/// All experts in one tensor: in × out, with gate and up in turn.
inline constexpr ModuleName kGptOssModules[] = {
    {"router", "mlp.router", kBiased},
    {"expert.#.linear1", "mlp.experts.gate_up_proj"},
    {"expert.#.linear2", "mlp.experts.down_proj"},
    {"expert.#.linear3", "mlp.experts.gate_up_proj"},
};

inline constexpr RouterForm kMixtralRouter{.everywhere = true};
inline constexpr RouterForm kQwen2Router{.renormalize = false, .shared = true, .per_token = 4};
inline constexpr RouterForm kQwen3Router{.renormalize = false, .per_token = 8};
inline constexpr RouterForm kDeepSeekV2Router{.renormalize = false, .shared = true, .per_token = 6};
inline constexpr RouterForm kDeepSeekV3Router{
    .sigmoid = true, .group_sum = true, .shared = true, .per_token = 8};
inline constexpr RouterForm kGptOssRouter{.clamped = true, .everywhere = true, .per_token = 4};

inline constexpr const char* kLatentAttention[] = {"kv_a_proj_with_mqa.weight", "kv_b_proj.weight",
                                                   "o_proj.weight"};

inline constexpr const char* kLatentAlways[] = {"kv_a_layernorm.weight"};
inline constexpr const char* kGptOssAlways[] = {"q_proj.bias", "k_proj.bias", "v_proj.bias",
                                                "o_proj.bias", "sinks"};

}  // namespace attn
