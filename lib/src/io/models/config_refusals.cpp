// What a config.json may say that attn does not compute.
#include <algorithm>
#include <string_view>

#include "io/models/model_types.hpp"

namespace attn {
namespace {

using json::Node;

bool is_null(const Node& node) { return std::holds_alternative<std::nullptr_t>(node.value); }
bool is_given(const Node& node) { return !is_null(node); }
bool is_flag(const Node& node, bool flag) {
  const auto* found = std::get_if<bool>(&node.value);
  return found && *found == flag;
}
bool is_true(const Node& node) { return is_flag(node, true); }
bool is_false(const Node& node) { return is_flag(node, false); }
bool is_text(const Node& node, std::string_view text) {
  const auto* found = std::get_if<std::string>(&node.value);
  return found && *found == text;
}

/// A key whose value describes a model that attn does not have.
struct Refused {
  const char* key;
  bool (*refuses)(const Node& value);
  const char* what;  ///< "relative position embeddings"
};

constexpr Refused kRefused[] = {
    {"add_cross_attention", is_true, "cross attention in a model that reads ids"},
    {"is_decoder", is_true, "an encoder that is used as a decoder"},
    {"position_embedding_type",
     [](const Node& node) { return is_given(node) && !is_text(node, "absolute"); },
     "relative position embeddings"},
    {"scale_attn_by_inverse_layer_idx", is_true, "scores that are scaled by the layer's number"},
};

/// Keys that change numbers in some families; a family that does not know one of them is refused.
constexpr const char* kKeysOfFamilies[] = {
    "is_encoder_decoder",
    "relative_attention_num_buckets",
    "scale_embedding",
    "normalize_before",
    "static_position_embeddings",
    "add_final_layer_norm",
    "add_bias_logits",
    "global_rope_theta",
    "local_rope_theta",
    "local_attention",
    "global_attn_every_n_layers",
    "query_pre_attn_scalar",
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "attention_multiplier",
    "embedding_multiplier",
    "residual_multiplier",
    "logits_scaling",
    "logit_scale",
    "no_rope_layers",
    "rotary_pct",
    "rotary_emb_base",
    "clip_qkv",
    "qk_layernorm",
    "use_qk_norm",
    "alibi",
    "scale_emb",
    "scale_depth",
    "dim_model_base",
    "attention_chunk_size",
    "attn_temperature_tuning",
    "rope_local_base_freq",
    "use_bidirectional_attention",
    "do_layer_norm_before",
    "_remove_final_layer_norm",
    "altup_num_inputs",
    "kv_lora_rank",
    "use_parallel_residual",
    "multi_query",
    "parallel_attn",
    "new_decoder_architecture",
    "apply_residual_connection_post_layernorm",
    "hidden_size_per_layer_input",
    "num_kv_shared_layers",
    "swiglu_limit",
    "swiglu_alpha",
    "num_local_experts",
    "num_experts",
    "n_routed_experts",
    "n_shared_experts",
    "num_experts_per_tok",
    "moe_intermediate_size",
    "shared_expert_intermediate_size",
    "norm_topk_prob",
    "n_group",
    "topk_group",
    "topk_method",
    "scoring_func",
    "routed_scaling_factor",
    "first_k_dense_replace",
    "moe_layer_freq",
    "mlp_only_layers",
    "decoder_sparse_step",
    "q_lora_rank",
    "qk_nope_head_dim",
    "qk_rope_head_dim",
    "v_head_dim",
    "rope_interleave",
    "hybrid_layer_ids",
    "mamba_d_state",
    "attn_layer_period",
    "linear_num_key_heads",
};

}  // namespace

void refuse_unsupported(Config& config) {
  for (const Refused& row : kRefused) {
    const Node* node = config.find(row.key);
    if (node && row.refuses(*node))
      config.refuse(row.key, std::string("attn does not compute ") + row.what);
  }
  const Node* scaled = config.find("scale_attn_weights");
  if (scaled && is_false(*scaled)) {
    config.refuse("scale_attn_weights", "attn does not take \"no scale\" from a configuration",
                  "Remove this key, and turn the scale off.", {{"scale", "none"}});
  }
  const Node* quantised = config.find("quantization_config");
  if (!quantised) return;
  const Node* method = json::find(*quantised, "quant_method");
  const auto* name = method ? std::get_if<std::string>(&method->value) : nullptr;
  config.refuse(
      "quantization_config",
      "attn does not compute with quantised weights" + (name ? " (" + *name + ")" : std::string()),
      "Give the same model with weights in 16 or 32 bits.");
}

void refuse_keys_of_others(Config& config, const ModelType& type) {
  const std::string known = " " + std::string(type.keys) + " ";
  for (const char* key : kKeysOfFamilies) {
    const Node* node = config.find(key);
    if (!node || is_false(*node) || known.find(" " + std::string(key) + " ") != known.npos)
      continue;
    config.refuse(key,
                  std::string("attn does not know what ") + key +
                      " means for a model of the type " + type.name,
                  "Choose another model, or remove the key if it changes nothing.");
  }
}

}  // namespace attn
