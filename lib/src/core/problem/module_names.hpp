// What libraries call the parts of a layer and an attention's tensors, for each kind of model.
#pragma once

#include "core/problem/model_kinds.hpp"

namespace attn {

/// The last names are those of a gate; numbers are those of nn.Sequential.
inline constexpr ModuleName kFeedForwardModules[] = {
    {"linear1", "linear1"}, {"linear1", "0"},       {"linear1", "gate_proj"},
    {"linear2", "linear2"}, {"linear2", "2"},       {"linear2", "down_proj"},
    {"linear3", "linear3"}, {"linear3", "up_proj"},
};

inline constexpr ModuleName kGpt2Modules[] = {
    {"norm1", "ln_1", kBiased},       {"norm2", "ln_2", kBiased},
    {"linear1", "mlp.c_fc", kBiased}, {"linear2", "mlp.c_proj", kBiased},
    {"norm", "ln_f", kBiased},        {"token_table", "wte"},
    {"position_table", "wpe"},        {"logits", "lm_head"},
};

inline constexpr ModuleName kBertModules[] = {
    {"norm1", "attention.output.LayerNorm", kBiased},
    {"norm2", "output.LayerNorm", kBiased},
    {"linear1", "intermediate.dense", kBiased},
    {"linear2", "output.dense", kBiased},
    {"x", "embeddings.LayerNorm", kBiased},
    {"token_table", "embeddings.word_embeddings"},
    {"position_table", "embeddings.position_embeddings"},
    {"type_table", "embeddings.token_type_embeddings"},
    {"predictions.linear", "cls.predictions.transform.dense", kBiased},
    {"predictions.norm", "cls.predictions.transform.LayerNorm", kBiased},
    {"predictions.bias", "cls.predictions.bias", kBiased},
    {"logits", "cls.predictions.decoder"},
};

inline constexpr ModuleName kLlamaModules[] = {
    {"norm1", "input_layernorm"},    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_proj"},    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},      {"norm", "norm"},
    {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

inline constexpr ModuleName kGemma2Modules[] = {
    {"norm3", "pre_feedforward_layernorm"},
    {"norm4", "post_feedforward_layernorm"},
};

inline constexpr ModuleName kOlmo2Modules[] = {
    {"norm1", "post_attention_layernorm"},
    {"norm2", "post_feedforward_layernorm"},
};

inline constexpr ModuleName kPhiModules[] = {
    {"norm1", "input_layernorm", kBiased}, {"linear1", "mlp.fc1", kBiased},
    {"linear2", "mlp.fc2", kBiased},       {"norm", "final_layernorm", kBiased},
    {"token_table", "embed_tokens"},       {"logits", "lm_head", kBiased},
};

inline constexpr ModuleName kPhi3Modules[] = {
    {"linear1", "mlp.gate_up_proj"},
    {"linear3", "mlp.gate_up_proj"},
};

inline constexpr ModuleName kNeoxModules[] = {
    {"norm1", "input_layernorm", kBiased},
    {"norm2", "post_attention_layernorm", kBiased},
    {"linear1", "mlp.dense_h_to_4h", kBiased},
    {"linear2", "mlp.dense_4h_to_h", kBiased},
    {"norm", "final_layer_norm", kBiased},
    {"token_table", "embed_in"},
    {"logits", "embed_out"},
};

inline constexpr ModuleName kOptModules[] = {
    {"norm1", "self_attn_layer_norm", kBiased},
    {"norm2", "final_layer_norm", kBiased},
    {"linear1", "fc1", kBiased},
    {"linear2", "fc2", kBiased},
    {"norm", "decoder.final_layer_norm", kBiased},
    {"token_table", "decoder.embed_tokens"},
    {"position_table", "decoder.embed_positions"},
    {"logits", "lm_head"},
};

inline constexpr ModuleName kRobertaModules[] = {
    {"norm1", "attention.output.LayerNorm", kBiased},
    {"norm2", "output.LayerNorm", kBiased},
    {"linear1", "intermediate.dense", kBiased},
    {"linear2", "output.dense", kBiased},
    {"x", "embeddings.LayerNorm", kBiased},
    {"token_table", "embeddings.word_embeddings"},
    {"position_table", "embeddings.position_embeddings"},
    {"type_table", "embeddings.token_type_embeddings"},
    {"predictions.linear", "lm_head.dense", kBiased},
    {"predictions.norm", "lm_head.layer_norm", kBiased},
    {"predictions.bias", "lm_head.bias", kBiased},
    {"logits", "lm_head.decoder"},
};

inline constexpr ModuleName kDistilBertModules[] = {
    {"norm1", "sa_layer_norm", kBiased},
    {"norm2", "output_layer_norm", kBiased},
    {"linear1", "ffn.lin1", kBiased},
    {"linear2", "ffn.lin2", kBiased},
    {"x", "embeddings.LayerNorm", kBiased},
    {"token_table", "embeddings.word_embeddings"},
    {"position_table", "embeddings.position_embeddings"},
    {"predictions.linear", "vocab_transform", kBiased},
    {"predictions.norm", "vocab_layer_norm", kBiased},
    {"predictions.bias", "vocab_projector.bias", kBiased},
    {"logits", "vocab_projector"},
};

inline constexpr ModuleName kModernBertModules[] = {
    {"norm1", "attn_norm"},
    {"norm2", "mlp_norm"},
    {"linear1", "mlp.Wi"},
    {"linear2", "mlp.Wo"},
    {"linear3", "mlp.Wi"},
    {"x", "embeddings.norm"},
    {"token_table", "embeddings.tok_embeddings"},
    {"norm", "final_norm"},
    {"predictions.linear", "head.dense"},
    {"predictions.norm", "head.norm"},
    {"predictions.bias", "decoder.bias", kBiased},
    {"logits", "decoder"},
};

inline constexpr ModuleName kVitModules[] = {
    {"norm1", "layernorm_before", kBiased},
    {"norm2", "layernorm_after", kBiased},
    {"linear1", "intermediate.dense", kBiased},
    {"linear2", "output.dense", kBiased},
    {"norm", "layernorm", kBiased},
};

inline constexpr ModuleName kBloomModules[] = {
    {"norm1", "input_layernorm", kBiased},       {"norm2", "post_attention_layernorm", kBiased},
    {"linear1", "mlp.dense_h_to_4h", kBiased},   {"linear2", "mlp.dense_4h_to_h", kBiased},
    {"x", "word_embeddings_layernorm", kBiased}, {"norm", "ln_f", kBiased},
    {"token_table", "word_embeddings"},          {"logits", "lm_head"},
};

inline constexpr ModuleName kFalconModules[] = {
    {"norm1", "input_layernorm", kBiased},
    {"norm1", "ln_attn", kBiased},
    {"norm2", "post_attention_layernorm", kBiased},
    {"norm2", "ln_mlp", kBiased},
    {"linear1", "mlp.dense_h_to_4h"},
    {"linear2", "mlp.dense_4h_to_h"},
    {"norm", "ln_f", kBiased},
    {"token_table", "word_embeddings"},
    {"logits", "lm_head"},
};

inline constexpr const char* kTorchAttention[] = {"in_proj_weight", "out_proj.weight"};
inline constexpr const char* kGpt2Attention[] = {"c_attn.weight", "c_proj.weight"};
inline constexpr const char* kBertAttention[] = {"self.query.weight", "self.key.weight",
                                                 "self.value.weight", "output.dense.weight"};
inline constexpr const char* kLlamaAttention[] = {"q_proj.weight", "k_proj.weight", "v_proj.weight",
                                                  "o_proj.weight"};

inline constexpr const char* kPhiAttention[] = {"q_proj.weight", "k_proj.weight", "v_proj.weight",
                                                "dense.weight"};
inline constexpr const char* kPhi3Attention[] = {"qkv_proj.weight", "o_proj.weight"};
inline constexpr const char* kNeoxAttention[] = {"query_key_value.weight", "dense.weight"};
inline constexpr const char* kSeparateAttention[] = {"q_proj.weight", "k_proj.weight",
                                                     "v_proj.weight", "out_proj.weight"};
inline constexpr const char* kDistilBertAttention[] = {"q_lin.weight", "k_lin.weight",
                                                       "v_lin.weight", "out_lin.weight"};

inline constexpr const char* kModernBertAttention[] = {"Wqkv.weight", "Wo.weight"};
inline constexpr const char* kVitAttention[] = {"attention.query.weight", "attention.key.weight",
                                                "attention.value.weight", "output.dense.weight"};

// ---- What an attention has besides ----

inline constexpr const char* kTorchAlways[] = {"in_proj_bias", "out_proj.bias"};
inline constexpr const char* kGpt2Always[] = {"c_attn.bias", "c_proj.bias"};
inline constexpr const char* kBertAlways[] = {"self.query.bias", "self.key.bias", "self.value.bias",
                                              "output.dense.bias"};
inline constexpr const char* kQwen2Always[] = {"q_proj.bias", "k_proj.bias", "v_proj.bias"};
inline constexpr const char* kNormsAlways[] = {"q_norm.weight", "k_norm.weight"};
inline constexpr const char* kPhiAlways[] = {"q_proj.bias", "k_proj.bias", "v_proj.bias",
                                             "dense.bias"};
inline constexpr const char* kNeoxAlways[] = {"query_key_value.bias", "dense.bias"};
inline constexpr const char* kSeparateAlways[] = {"q_proj.bias", "k_proj.bias", "v_proj.bias",
                                                  "out_proj.bias"};
inline constexpr const char* kDistilBertAlways[] = {"q_lin.bias", "k_lin.bias", "v_lin.bias",
                                                    "out_lin.bias"};
inline constexpr const char* kVitAlways[] = {"attention.query.bias", "attention.key.bias",
                                             "attention.value.bias", "output.dense.bias"};

}  // namespace attn
