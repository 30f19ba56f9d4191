// What the library of each kind of model calls the parts of a layer, and the tensors of an
// attention.
#pragma once

#include "core/problem/model_kinds.hpp"

namespace attn {

inline constexpr ModuleName kGpt2Modules[] = {
    {"norm1", "ln_1"}, {"norm2", "ln_2"},      {"linear1", "mlp.c_fc"},   {"linear2", "mlp.c_proj"},
    {"norm", "ln_f"},  {"token_table", "wte"}, {"position_table", "wpe"}, {"logits", "lm_head"},
};

inline constexpr ModuleName kBertModules[] = {
    {"norm1", "attention.output.LayerNorm"},
    {"norm2", "output.LayerNorm"},
    {"linear1", "intermediate.dense"},
    {"linear2", "output.dense"},
    {"x", "embeddings.LayerNorm"},
    {"token_table", "embeddings.word_embeddings"},
    {"position_table", "embeddings.position_embeddings"},
    {"type_table", "embeddings.token_type_embeddings"},
    {"predictions.linear", "cls.predictions.transform.dense"},
    {"predictions.norm", "cls.predictions.transform.LayerNorm"},
    {"predictions.bias", "cls.predictions.bias"},
    {"logits", "cls.predictions.decoder"},
};

inline constexpr ModuleName kLlamaModules[] = {
    {"norm1", "input_layernorm"},    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_proj"},    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},      {"norm", "norm"},
    {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

inline constexpr ModuleName kGemma2Modules[] = {
    {"norm1", "input_layernorm"},
    {"norm2", "post_attention_layernorm"},
    {"norm3", "pre_feedforward_layernorm"},
    {"norm4", "post_feedforward_layernorm"},
    {"linear1", "mlp.gate_proj"},
    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},
    {"norm", "norm"},
    {"token_table", "embed_tokens"},
    {"logits", "lm_head"},
};

inline constexpr ModuleName kOlmo2Modules[] = {
    {"norm1", "post_attention_layernorm"},
    {"norm2", "post_feedforward_layernorm"},
    {"linear1", "mlp.gate_proj"},
    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},
    {"norm", "norm"},
    {"token_table", "embed_tokens"},
    {"logits", "lm_head"},
};

inline constexpr ModuleName kPhiModules[] = {
    {"norm1", "input_layernorm"}, {"linear1", "mlp.fc1"},          {"linear2", "mlp.fc2"},
    {"norm", "final_layernorm"},  {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

inline constexpr ModuleName kPhi3Modules[] = {
    {"norm1", "input_layernorm"},    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_up_proj"}, {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.gate_up_proj"}, {"norm", "norm"},
    {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

inline constexpr ModuleName kNeoxModules[] = {
    {"norm1", "input_layernorm"},     {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.dense_h_to_4h"}, {"linear2", "mlp.dense_4h_to_h"},
    {"norm", "final_layer_norm"},     {"token_table", "embed_in"},
    {"logits", "embed_out"},
};

inline constexpr ModuleName kOptModules[] = {
    {"norm1", "self_attn_layer_norm"},
    {"norm2", "final_layer_norm"},
    {"linear1", "fc1"},
    {"linear2", "fc2"},
    {"norm", "decoder.final_layer_norm"},
    {"token_table", "decoder.embed_tokens"},
    {"position_table", "decoder.embed_positions"},
    {"logits", "lm_head"},
};

inline constexpr ModuleName kRobertaModules[] = {
    {"norm1", "attention.output.LayerNorm"},
    {"norm2", "output.LayerNorm"},
    {"linear1", "intermediate.dense"},
    {"linear2", "output.dense"},
    {"x", "embeddings.LayerNorm"},
    {"token_table", "embeddings.word_embeddings"},
    {"position_table", "embeddings.position_embeddings"},
    {"type_table", "embeddings.token_type_embeddings"},
    {"predictions.linear", "lm_head.dense"},
    {"predictions.norm", "lm_head.layer_norm"},
    {"predictions.bias", "lm_head.bias"},
    {"logits", "lm_head.decoder"},
};

inline constexpr ModuleName kDistilBertModules[] = {
    {"norm1", "sa_layer_norm"},
    {"norm2", "output_layer_norm"},
    {"linear1", "ffn.lin1"},
    {"linear2", "ffn.lin2"},
    {"x", "embeddings.LayerNorm"},
    {"token_table", "embeddings.word_embeddings"},
    {"position_table", "embeddings.position_embeddings"},
    {"predictions.linear", "vocab_transform"},
    {"predictions.norm", "vocab_layer_norm"},
    {"predictions.bias", "vocab_projector.bias"},
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
    {"predictions.bias", "decoder.bias"},
    {"logits", "decoder"},
};

inline constexpr ModuleName kVitModules[] = {
    {"norm1", "layernorm_before"}, {"norm2", "layernorm_after"}, {"linear1", "intermediate.dense"},
    {"linear2", "output.dense"},   {"norm", "layernorm"},
};

inline constexpr ModuleName kBloomModules[] = {
    {"norm1", "input_layernorm"},       {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.dense_h_to_4h"},   {"linear2", "mlp.dense_4h_to_h"},
    {"x", "word_embeddings_layernorm"}, {"norm", "ln_f"},
    {"token_table", "word_embeddings"}, {"logits", "lm_head"},
};

inline constexpr ModuleName kFalconModules[] = {
    {"norm1", "input_layernorm"},
    {"norm1", "ln_attn"},
    {"norm2", "post_attention_layernorm"},
    {"norm2", "ln_mlp"},
    {"linear1", "mlp.dense_h_to_4h"},
    {"linear2", "mlp.dense_4h_to_h"},
    {"norm", "ln_f"},
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

}  // namespace attn
