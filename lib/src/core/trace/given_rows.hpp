// The rows of givens: what steps are made from, but no step makes.
#pragma once

#include <array>

#include "attn/trace.hpp"

namespace attn {

/// Id, symbol, title, axes and names of rows and columns, and role, as in the table of steps.
inline constexpr std::array kGivens = {
    StepInfo{"w_q", "W_q", "query projection", "", "", "d_model", "features", "x", "q"},
    StepInfo{"w_k", "W_k", "key projection", "", "", "d_model", "features", "x", "k"},
    StepInfo{"w_v", "W_v", "value projection", "", "", "d_model", "features", "x", "v"},
    StepInfo{"w_o", "W_o", "output projection", "", "", "features", "d_model", "c", "o"},
    StepInfo{"w_dq", "W_DQ", "down-projection of queries", "", "", "d_model", "rank", "x", "c"},
    StepInfo{"w_uq", "W_UQ", "up-projection of queries", "", "", "rank", "features", "c", "q"},
    StepInfo{"w_dkv", "W_DKV", "down-projection of keys and values", "", "", "d_model", "rank", "x",
             "c"},
    StepInfo{"w_uk", "W_UK", "up-projection of keys", "", "", "rank", "features", "c", "k"},
    StepInfo{"w_uv", "W_UV", "up-projection of values", "", "", "rank", "features", "c", "v"},
    StepInfo{"w_kr", "W_KR", "projection of keys for positions", "", "", "d_model", "features", "x",
             "r"},
    StepInfo{"b_dq", "b_DQ", "bias of query latents", "", "", "1", "rank", "b", "c"},
    StepInfo{"b_dkv", "b_DKV", "bias of key and value latents", "", "", "1", "rank", "b", "c"},
    StepInfo{"b_kr", "b_KR", "bias of keys for positions", "", "", "1", "features", "b", "r"},
    StepInfo{"q_latent_norm", "γ_Q", "norm weights of query latents", "", "", "1", "rank", "γ",
             "c"},
    StepInfo{"kv_latent_norm", "γ_KV", "norm weights of key and value latents", "", "", "1", "rank",
             "γ", "c"},
    StepInfo{"b_q", "b_q", "query bias", "", "", "1", "features", "b", "q"},
    StepInfo{"b_k", "b_k", "key bias", "", "", "1", "features", "b", "k"},
    StepInfo{"b_v", "b_v", "value bias", "", "", "1", "features", "b", "v"},
    StepInfo{"b_o", "b_o", "output bias", "", "", "1", "d_model", "b", "o"},
    StepInfo{"q_norm", "γ_q", "query gains", "", "", "1", "features", "γ", "q"},
    StepInfo{"k_norm", "γ_k", "key gains", "", "", "1", "features", "γ", "k"},
    StepInfo{"q_norm_bias", "β_q", "query norm bias", "", "", "1", "features", "β", "q"},
    StepInfo{"k_norm_bias", "β_k", "key norm bias", "", "", "1", "features", "β", "k"},
    StepInfo{"sinks", "sink", "sinks", "", "", "1", "1", "sink", "sink"},
    StepInfo{"w_gate", "W_gate", "gate projection", "", "", "d_model", "features", "x", "g"},
    StepInfo{"b_gate", "b_gate", "gate bias", "", "", "1", "features", "b", "g"},
    StepInfo{"v_score", "v_score", "weights of the score", "", "", "1", "d_k", "v", "q"},
    StepInfo{"past_k", "K_past", "cached keys", "", "", "key", "d_k", "", "k", StepRole::Past},
    StepInfo{"past_v", "V_past", "cached values", "", "", "key", "d_v", "", "v", StepRole::Past},
    StepInfo{"extra_k", "K_extra", "added keys", "", "", "key", "d_k", "", "k", StepRole::Extra},
    StepInfo{"extra_v", "V_extra", "added values", "", "", "key", "d_v", "", "v", StepRole::Extra},
    StepInfo{"given_bias", "B_given", "given bias", "", "", "query", "key", "", "", StepRole::Bias},
    StepInfo{"bias_table", "B_table", "bias for each bucket of distances", "", "", "bucket", "head",
             "bucket", "head"},
    StepInfo{"kept_queries", "kept", "queries that are not padding", "", "", "query", "1", "",
             "kept", StepRole::KeptQueries},
    StepInfo{"dropout_keep", "keep", "weights that are kept", "", "", "query", "key", "", ""},
    StepInfo{"target", "Y_target", "target", "", "", "query", "d_model", "", "o"},
    StepInfo{"token_table", "E", "token table", "", "", "vocabulary", "d_model", "v", "x"},
    StepInfo{"position_table", "E_pos", "position table", "", "", "position", "d_model", "p", "x"},
    StepInfo{"type_table", "E_type", "token type table", "", "", "type", "d_model", "s", "x"},
    StepInfo{"norm.weight", "γ", "norm weights", "", "", "1", "d_model", "γ", "x"},
    StepInfo{"norm.bias", "β", "norm bias", "", "", "1", "d_model", "β", "x"},
    StepInfo{"linear.weight", "W", "weights of the linear layer", "", "", "features", "features",
             "f", "f"},
    StepInfo{"linear.bias", "b", "bias of the linear layer", "", "", "1", "features", "b", "f"},
    StepInfo{"router_bias", "β_ρ", "router bias", "", "", "1", "expert", "b", "e"},
    StepInfo{"router.weight", "W_ρ", "weights of the router", "", "", "features", "expert", "f",
             "e"},
    StepInfo{"router.bias", "b_ρ", "bias of the router", "", "", "1", "expert", "b", "e"},
    StepInfo{"w_vocabulary", "W_vocab", "vocabulary weights", "", "", "d_model", "vocabulary", "x",
             "v"},
    StepInfo{"b_vocabulary", "b_vocab", "vocabulary bias", "", "", "1", "vocabulary", "b", "v"},
};

}  // namespace attn
