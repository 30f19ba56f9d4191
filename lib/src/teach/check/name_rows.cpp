// One row for each name, and a search for the longest that a given name is or ends with.
#include "teach/check/name_rows.hpp"

namespace attn {
namespace {

constexpr const char* kOutputs = "the outputs of Hugging Face's models";
constexpr const char* kVariables = "variables in PyTorch code";

const NameRow kNameRows[] = {
    {kLens, "hook_embed", "token_embeddings x"},
    {kLens, "hook_pos_embed", "position_embeddings"},
    {kLens, "blocks.*.hook_resid_pre", "@in"},
    {kLens, "blocks.*.ln1.hook_normalized", "norm1"},
    {kLens, "blocks.*.ln1.hook_scale", ""},
    {kLens, "blocks.*.attn.hook_q", "q"},
    {kLens, "blocks.*.attn.hook_k", "k"},
    {kLens, "blocks.*.attn.hook_v", "v"},
    {kLens, "blocks.*.attn.hook_rot_q", "~q_rotated"},
    {kLens, "blocks.*.attn.hook_rot_k", "~k_rotated"},
    {kLens, "blocks.*.attn.hook_attn_scores", "masked_scores capped_scores scaled_scores scores"},
    {kLens, "blocks.*.attn.hook_pattern", "weights"},
    {kLens, "blocks.*.attn.hook_z", "concat ~context"},
    {kLens, "blocks.*.attn.hook_result", ""},
    {kLens, "blocks.*.hook_attn_out", "output"},
    {kLens, "blocks.*.hook_resid_mid", "residual1"},
    {kLens, "blocks.*.ln2.hook_normalized", "norm2"},
    {kLens, "blocks.*.ln2.hook_scale", ""},
    {kLens, "blocks.*.mlp.hook_pre", "linear1"},
    {kLens, "blocks.*.mlp.hook_pre_linear", "linear3"},
    {kLens, "blocks.*.mlp.hook_post", "gate activation"},
    {kLens, "blocks.*.hook_mlp_out", "linear2"},
    {kLens, "blocks.*.hook_resid_post", "@out"},
    {kLens, "ln_final.hook_normalized", "norm"},
    {kLens, "ln_final.hook_scale", ""},

    {kOutputs, "hidden_states.*", "@hidden"},
    {kOutputs, "attentions.*", "weights"},
    {kOutputs, "last_hidden_state", "output"},

    {kVariables, "attn_weights", "weights"},
    {kVariables, "attention_weights", "weights"},
    {kVariables, "attn_probs", "weights"},
    {kVariables, "attention_probs", "weights"},
    {kVariables, "attn_scores", "scores"},
    {kVariables, "attention_scores", "scores"},
    {kVariables, "context_layer", "concat ~context"},

    {kModules, "wte", "token_embeddings"},
    {kModules, "wpe", "position_embeddings"},
    {kModules, "h.*", "@out"},
    {kModules, "ln_1", "norm1"},
    {kModules, "ln_2", "norm2"},
    {kModules, "ln_f", "norm"},
    {kModules, "c_attn", "@qkv"},
    {kModules, "c_proj", "output"},
    {kModules, "*.attn", "output"},
    {kModules, "mlp.c_fc", "linear1"},
    {kModules, "mlp.act", "activation"},
    {kModules, "mlp.c_proj", "linear2"},
    {kModules, "mlp.experts", "experts"},
    {kModules, "mlp.activation_fn", "activation"},
    {kModules, "transform.act_fn", "predictions.activation"},
    {kModules, "*.mlp", "mixture experts linear2"},

    {kModules, "embed_tokens", "x"},
    {kModules, "layers.*", "@out"},
    {kModules, "input_layernorm", "norm1"},
    {kModules, "q_proj", "q"},
    {kModules, "k_proj", "k"},
    {kModules, "v_proj", "v"},
    {kModules, "o_proj", "output"},
    {kModules, "out_proj", "output"},
    {kModules, "q_norm", "q_normed"},
    {kModules, "k_norm", "k_normed"},
    {kModules, "q_layernorm", "q_normed"},
    {kModules, "k_layernorm", "k_normed"},
    {kModules, "q_a_proj", "q_latent"},
    {kModules, "q_a_layernorm", "q_latent_normed"},
    {kModules, "kv_a_layernorm", "kv_latent_normed"},
    {kModules, "qkv_proj", "@qkv"},
    {kModules, "Wqkv", "@qkv"},
    {kModules, "attn.Wo", "output"},
    {kModules, "attention.dense", "output"},
    {kModules, "self_attention.dense", "output"},
    {kModules, "self_attn.dense", "output"},
    {kModules, "q_lin", "q"},
    {kModules, "k_lin", "k"},
    {kModules, "v_lin", "v"},
    {kModules, "out_lin", "output"},
    {kModules, "*.self_attn", "output"},
    {kModules, "*.encoder_attn", "output"},
    {kModules, "*.multihead_attn", "output"},
    {kModules, "post_attention_layernorm", "norm2"},
    {kModules, "mlp.gate_proj", "linear1"},
    {kModules, "mlp.act_fn", "activation"},
    {kModules, "mlp.up_proj", "linear3"},
    {kModules, "mlp.down_proj", "linear2"},
    {kModules, "model.norm", "norm"},
    {kModules, "lm_head", "logits"},

    {kModules, "embeddings.word_embeddings", "token_embeddings"},
    {kModules, "embeddings.position_embeddings", "position_embeddings"},
    {kModules, "embeddings.token_type_embeddings", "token_type_embeddings"},
    {kModules, "embeddings.LayerNorm", "x"},
    {kModules, "bert.embeddings", "x"},
    {kModules, "query", "q"},
    {kModules, "key", "k"},
    {kModules, "value", "v"},
    {kModules, "attention.self", "concat context"},
    {kModules, "attention.output.dense", "output"},
    {kModules, "attention.output.LayerNorm", "norm1"},
    {kModules, "intermediate.dense", "linear1"},
    {kModules, "intermediate_act_fn", "activation"},
    {kModules, "*.intermediate", "activation"},
    {kModules, "*.output.dense", "linear2"},
    {kModules, "*.output.LayerNorm", "@out"},
    {kModules, "*.output", "@out"},
    {kModules, "layer.*", "@out"},
    {kModules, "block.*", "@out"},
    {kModules, "SelfAttention.q", "q"},
    {kModules, "SelfAttention.k", "k"},
    {kModules, "SelfAttention.v", "v"},
    {kModules, "SelfAttention.o", "output"},
    {kModules, "EncDecAttention.q", "q"},
    {kModules, "EncDecAttention.k", "k"},
    {kModules, "EncDecAttention.v", "v"},
    {kModules, "EncDecAttention.o", "output"},
    {kModules, "cls.predictions.decoder", "logits"},

    {kModules, "*.norm1", "norm1"},
    {kModules, "*.norm2", "norm2"},
    {kModules, "*.norm3", "norm3"},
    {kModules, "*.linear1", "linear1"},
    {kModules, "*.linear2", "linear2"},
};

}  // namespace

const NameRow* name_row_of(const std::string& general_name) {
  const NameRow* best = nullptr;
  for (const NameRow& row : kNameRows) {
    const bool fits = general_name == row.theirs || general_name.ends_with("." + row.theirs);
    if (fits && (best == nullptr || row.theirs.size() > best->theirs.size())) best = &row;
  }
  return best;
}

}  // namespace attn
