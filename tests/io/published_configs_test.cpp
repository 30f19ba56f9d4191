// Configurations as they are published: each is read without a complaint, or refused by name.
#include <doctest/doctest.h>

#include <string>

#include "attn/hugging_face.hpp"
#include "support/errors.hpp"

namespace attn::testing {
namespace {

struct Published {
  const char* name;
  const char* json;    ///< keys and values as published, without those of training
  const char* refuse;  ///< part of the refusal; "" if attn reads it
};

constexpr Published kPublished[] = {
    {"Mistral-7B-v0.1", R"({"architectures": ["MistralForCausalLM"], "bos_token_id": 1,
      "eos_token_id": 2, "hidden_act": "silu", "hidden_size": 4096, "initializer_range": 0.02,
      "intermediate_size": 14336, "max_position_embeddings": 32768, "model_type": "mistral",
      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
      "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "sliding_window": 4096,
      "tie_word_embeddings": false, "torch_dtype": "bfloat16", "use_cache": true,
      "vocab_size": 32000})",
     ""},
    {"Mistral-Nemo", R"({"model_type": "mistral", "head_dim": 128, "hidden_act": "silu",
      "hidden_size": 5120, "intermediate_size": 14336, "max_position_embeddings": 131072,
      "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8,
      "rms_norm_eps": 1e-05, "rope_theta": 1000000.0, "sliding_window": null,
      "attention_dropout": 0.0, "vocab_size": 131072})",
     ""},
    {"Qwen2.5-VL-7B-Instruct", R"({"architectures": ["Qwen2_5_VLForConditionalGeneration"],
      "attention_dropout": 0.0, "bos_token_id": 151643, "eos_token_id": 151645,
      "vision_start_token_id": 151652, "image_token_id": 151655, "hidden_act": "silu",
      "hidden_size": 3584, "intermediate_size": 18944, "max_position_embeddings": 128000,
      "max_window_layers": 28, "model_type": "qwen2_5_vl", "num_attention_heads": 28,
      "num_hidden_layers": 28, "num_key_value_heads": 4, "rms_norm_eps": 1e-06,
      "rope_theta": 1000000.0, "sliding_window": 32768, "tie_word_embeddings": false,
      "use_sliding_window": false, "vision_config": {"depth": 32, "hidden_size": 1280},
      "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}, "vocab_size": 152064})",
     ""},
    {"Qwen3-VL-8B-Instruct", R"({"architectures": ["Qwen3VLForConditionalGeneration"],
      "image_token_id": 151655, "model_type": "qwen3_vl", "text_config": {"attention_bias": false,
      "attention_dropout": 0.0, "bos_token_id": 151643, "eos_token_id": 151645, "head_dim": 128,
      "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 12288,
      "max_position_embeddings": 262144, "model_type": "qwen3_vl_text",
      "num_attention_heads": 32, "num_hidden_layers": 36, "num_key_value_heads": 8,
      "rms_norm_eps": 1e-06, "rope_scaling": {"mrope_interleaved": true,
      "mrope_section": [24, 20, 20], "rope_type": "default"}, "rope_theta": 5000000,
      "vocab_size": 151936}, "tie_word_embeddings": false, "vision_config": {"depth": 27}})",
     ""},
    {"Qwen2.5-7B-Instruct", R"({"architectures": ["Qwen2ForCausalLM"], "attention_dropout": 0.0,
      "bos_token_id": 151643, "eos_token_id": 151645, "hidden_act": "silu", "hidden_size": 3584,
      "intermediate_size": 18944, "max_position_embeddings": 32768, "max_window_layers": 28,
      "model_type": "qwen2", "num_attention_heads": 28, "num_hidden_layers": 28,
      "num_key_value_heads": 4, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0,
      "sliding_window": 131072, "tie_word_embeddings": false, "use_sliding_window": false,
      "vocab_size": 152064})",
     ""},
    {"gemma-2-2b", R"({"architectures": ["Gemma2ForCausalLM"], "attention_bias": false,
      "attn_logit_softcapping": 50.0, "cache_implementation": "hybrid", "eos_token_id": 1,
      "final_logit_softcapping": 30.0, "head_dim": 256, "hidden_act": "gelu_pytorch_tanh",
      "hidden_activation": "gelu_pytorch_tanh", "hidden_size": 2304, "intermediate_size": 9216,
      "max_position_embeddings": 8192, "model_type": "gemma2", "num_attention_heads": 8,
      "num_hidden_layers": 26, "num_key_value_heads": 4, "query_pre_attn_scalar": 256,
      "rms_norm_eps": 1e-06, "rope_theta": 10000.0, "sliding_window": 4096, "vocab_size": 256000})",
     ""},
    {"granite-3.1-2b", R"({"architectures": ["GraniteForCausalLM"], "attention_bias": false,
      "attention_multiplier": 0.015625, "embedding_multiplier": 12.0, "eos_token_id": 0,
      "hidden_act": "silu", "hidden_size": 2048, "intermediate_size": 8192, "logits_scaling": 8.0,
      "max_position_embeddings": 131072, "mlp_bias": false, "model_type": "granite",
      "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8,
      "residual_multiplier": 0.22, "rms_norm_eps": 1e-05, "rope_scaling": null,
      "rope_theta": 5000000.0, "tie_word_embeddings": true, "vocab_size": 49155})",
     ""},
    {"phi-2", R"({"architectures": ["PhiForCausalLM"], "attention_dropout": 0.0,
      "bos_token_id": 50256, "embd_pdrop": 0.0, "eos_token_id": 50256, "hidden_act": "gelu_new",
      "hidden_size": 2560, "intermediate_size": 10240, "layer_norm_eps": 1e-05,
      "max_position_embeddings": 2048, "model_type": "phi", "num_attention_heads": 32,
      "num_hidden_layers": 32, "num_key_value_heads": 32, "partial_rotary_factor": 0.4,
      "qk_layernorm": false, "resid_pdrop": 0.1, "rope_scaling": null, "rope_theta": 10000.0,
      "tie_word_embeddings": false, "vocab_size": 51200})",
     ""},
    {"pythia-160m", R"({"architectures": ["GPTNeoXForCausalLM"], "bos_token_id": 0,
      "eos_token_id": 0, "hidden_act": "gelu", "hidden_size": 768, "intermediate_size": 3072,
      "layer_norm_eps": 1e-05, "max_position_embeddings": 2048, "model_type": "gpt_neox",
      "num_attention_heads": 12, "num_hidden_layers": 12, "rotary_emb_base": 10000,
      "rotary_pct": 0.25, "tie_word_embeddings": false, "use_parallel_residual": true,
      "vocab_size": 50304})",
     ""},
    {"opt-125m", R"({"_remove_final_layer_norm": false, "activation_dropout": 0.0,
      "activation_function": "relu", "do_layer_norm_before": true, "eos_token_id": 2,
      "ffn_dim": 3072, "hidden_size": 768, "max_position_embeddings": 2048, "model_type": "opt",
      "num_attention_heads": 12, "num_hidden_layers": 12, "prefix": "</s>", "pad_token_id": 1,
      "vocab_size": 50272, "word_embed_proj_dim": 768})",
     ""},
    {"opt-350m", R"({"activation_function": "relu", "do_layer_norm_before": false,
      "ffn_dim": 4096, "hidden_size": 1024, "model_type": "opt", "num_attention_heads": 16,
      "num_hidden_layers": 24, "vocab_size": 50272, "word_embed_proj_dim": 512})",
     "norms after"},
    {"roberta-base", R"({"architectures": ["RobertaForMaskedLM"], "bos_token_id": 0,
      "eos_token_id": 2, "hidden_act": "gelu", "hidden_size": 768, "intermediate_size": 3072,
      "layer_norm_eps": 1e-05, "max_position_embeddings": 514, "model_type": "roberta",
      "num_attention_heads": 12, "num_hidden_layers": 12, "pad_token_id": 1, "type_vocab_size": 1,
      "vocab_size": 50265})",
     ""},
    {"distilbert-base-uncased", R"({"activation": "gelu", "dim": 768, "hidden_dim": 3072,
      "max_position_embeddings": 512, "model_type": "distilbert", "n_heads": 12, "n_layers": 6,
      "pad_token_id": 0, "sinusoidal_pos_embds": false, "tie_weights_": true,
      "vocab_size": 30522})",
     ""},
    {"vit-base-patch16-224", R"({"architectures": ["ViTForImageClassification"],
      "hidden_act": "gelu", "hidden_size": 768, "image_size": 224, "intermediate_size": 3072,
      "layer_norm_eps": 1e-12, "model_type": "vit", "num_attention_heads": 12, "num_channels": 3,
      "num_hidden_layers": 12, "patch_size": 16, "qkv_bias": true})",
     ""},
    {"bloom-560m", R"({"apply_residual_connection_post_layernorm": false,
      "architectures": ["BloomForCausalLM"], "bos_token_id": 1, "eos_token_id": 2,
      "layer_norm_epsilon": 1e-05, "masked_softmax_fusion": true, "model_type": "bloom",
      "n_embed": 1024, "n_head": 16, "n_layer": 24, "pretraining_tp": 1, "vocab_size": 250880})",
     ""},
    {"Llama-3.1-8B", R"({"architectures": ["LlamaForCausalLM"], "attention_bias": false,
      "bos_token_id": 128000, "eos_token_id": 128001, "hidden_act": "silu", "hidden_size": 4096,
      "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false,
      "model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32,
      "num_key_value_heads": 8, "pretraining_tp": 1, "rms_norm_eps": 1e-05,
      "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
      "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "rope_theta": 500000.0,
      "tie_word_embeddings": false, "vocab_size": 128256})",
     ""},
    {"DeepSeek-V3", R"({"model_type": "deepseek_v3", "kv_lora_rank": 512, "n_routed_experts": 256,
      "num_attention_heads": 128, "quantization_config": {"quant_method": "fp8"}})",
     "quantised weights"},
    {"DeepSeek-V3 in 16 bits", R"({"architectures": ["DeepseekV3ForCausalLM"],
      "attention_bias": false, "attention_dropout": 0.0, "bos_token_id": 0, "eos_token_id": 1,
      "ep_size": 1, "first_k_dense_replace": 3, "hidden_act": "silu", "hidden_size": 7168,
      "initializer_range": 0.02, "intermediate_size": 18432, "kv_lora_rank": 512,
      "max_position_embeddings": 163840, "model_type": "deepseek_v3",
      "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_group": 8, "n_routed_experts": 256,
      "n_shared_experts": 1, "norm_topk_prob": true, "num_attention_heads": 128,
      "num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 128,
      "num_nextn_predict_layers": 1, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
      "qk_rope_head_dim": 64, "rms_norm_eps": 1e-06, "rope_scaling": {"beta_fast": 32,
      "beta_slow": 1, "factor": 40, "mscale": 1.0, "mscale_all_dim": 1.0,
      "original_max_position_embeddings": 4096, "type": "yarn"}, "rope_theta": 10000,
      "routed_scaling_factor": 2.5, "scoring_func": "sigmoid", "tie_word_embeddings": false,
      "topk_group": 4, "topk_method": "noaux_tc", "v_head_dim": 128, "vocab_size": 129280})",
     ""},
    {"DeepSeek-V2-Lite", R"({"architectures": ["DeepseekV2ForCausalLM"], "attention_bias": false,
      "attention_dropout": 0.0, "aux_loss_alpha": 0.001, "bos_token_id": 100000,
      "eos_token_id": 100001, "first_k_dense_replace": 1, "hidden_act": "silu",
      "hidden_size": 2048, "intermediate_size": 10944, "kv_lora_rank": 512,
      "max_position_embeddings": 163840, "model_type": "deepseek_v2",
      "moe_intermediate_size": 1408, "moe_layer_freq": 1, "n_group": 1, "n_routed_experts": 64,
      "n_shared_experts": 2, "norm_topk_prob": false, "num_attention_heads": 16,
      "num_experts_per_tok": 6, "num_hidden_layers": 27, "num_key_value_heads": 16,
      "pretraining_tp": 1, "q_lora_rank": null, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
      "rms_norm_eps": 1e-06, "rope_scaling": {"beta_fast": 32, "beta_slow": 1, "factor": 40,
      "mscale": 0.707, "mscale_all_dim": 0.707, "original_max_position_embeddings": 4096,
      "type": "yarn"}, "rope_theta": 10000, "routed_scaling_factor": 1.0,
      "scoring_func": "softmax", "seq_aux": true, "topk_group": 1, "topk_method": "greedy",
      "v_head_dim": 128, "vocab_size": 102400})",
     ""},
    {"Qwen1.5-MoE-A2.7B", R"({"architectures": ["Qwen2MoeForCausalLM"], "attention_dropout": 0.0,
      "bos_token_id": 151643, "decoder_sparse_step": 1, "eos_token_id": 151643,
      "hidden_act": "silu", "hidden_size": 2048, "initializer_range": 0.02,
      "intermediate_size": 5632, "max_position_embeddings": 8192, "max_window_layers": 21,
      "model_type": "qwen2_moe", "moe_intermediate_size": 1408, "norm_topk_prob": false,
      "num_attention_heads": 16, "num_experts": 60, "num_experts_per_tok": 4,
      "num_hidden_layers": 24, "num_key_value_heads": 16, "output_router_logits": false,
      "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "router_aux_loss_coef": 0.001,
      "shared_expert_intermediate_size": 5632, "sliding_window": 32768,
      "tie_word_embeddings": false, "use_sliding_window": false, "vocab_size": 151936})",
     ""},
    {"Qwen3-30B-A3B", R"({"architectures": ["Qwen3MoeForCausalLM"], "attention_bias": false,
      "attention_dropout": 0.0, "bos_token_id": 151643, "decoder_sparse_step": 1,
      "eos_token_id": 151645, "head_dim": 128, "hidden_act": "silu", "hidden_size": 2048,
      "intermediate_size": 6144, "max_position_embeddings": 40960, "max_window_layers": 48,
      "mlp_only_layers": [], "model_type": "qwen3_moe", "moe_intermediate_size": 768,
      "norm_topk_prob": true, "num_attention_heads": 32, "num_experts": 128,
      "num_experts_per_tok": 8, "num_hidden_layers": 48, "num_key_value_heads": 4,
      "output_router_logits": false, "rms_norm_eps": 1e-06, "rope_scaling": null,
      "rope_theta": 1000000.0, "router_aux_loss_coef": 0.001, "sliding_window": null,
      "tie_word_embeddings": false, "use_sliding_window": false, "vocab_size": 151936})",
     ""},
    {"gpt-oss-20b", R"({"model_type": "gpt_oss", "num_attention_heads": 64,
      "num_local_experts": 32, "quantization_config": {"quant_method": "mxfp4"}})",
     "quantised weights (mxfp4)"},
    {"Mixtral-8x7B-v0.1", R"({"architectures": ["MixtralForCausalLM"], "attention_dropout": 0.0,
      "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu", "hidden_size": 4096,
      "initializer_range": 0.02, "intermediate_size": 14336, "max_position_embeddings": 32768,
      "model_type": "mixtral", "num_attention_heads": 32, "num_experts_per_tok": 2,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8,
      "output_router_logits": false, "rms_norm_eps": 1e-05, "rope_theta": 1000000.0,
      "router_aux_loss_coef": 0.02, "sliding_window": null, "tie_word_embeddings": false,
      "torch_dtype": "bfloat16", "use_cache": true, "vocab_size": 32000})",
     ""},
};

/// The tensors without which a configuration with logits of their own is refused.
ModelTensors logits() {
  ModelTensors tensors;
  for (const char* name : {"lm_head.weight", "embed_out.weight"}) tensors[name] = {};
  return tensors;
}

}  // namespace

TEST_CASE("published configurations: each is read, or refused by name") {
  for (const Published& each : kPublished) {
    CAPTURE(each.name);
    const std::string refusal = refusal_from([&] {
                                  const ProblemFile file =
                                      read_model_config(each.json, "config.json", logits());
                                  CHECK(file.draft.heads >= 8);
                                }).what;
    if (*each.refuse == '\0')
      CHECK(refusal == "");
    else
      CHECK(refusal.find(each.refuse) != refusal.npos);
  }
}

}  // namespace attn::testing
