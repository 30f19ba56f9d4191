// The table of whole models: what each reads, and what its library calls the parts of a layer.
#include "core/problem/model_kinds.hpp"

#include <algorithm>

namespace attn {
namespace {

constexpr ModuleName kGpt2[] = {
    {"norm1", "ln_1"}, {"norm2", "ln_2"},      {"linear1", "mlp.c_fc"},   {"linear2", "mlp.c_proj"},
    {"norm", "ln_f"},  {"token_table", "wte"}, {"position_table", "wpe"}, {"logits", "lm_head"},
};

constexpr ModuleName kBertModules[] = {
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
    {"logits", "cls.predictions.decoder"},
};

constexpr ModuleName kLlama[] = {
    {"norm1", "input_layernorm"},    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_proj"},    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},      {"norm", "norm"},
    {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

constexpr const char* kTorchAttention[] = {"in_proj_weight", "out_proj.weight"};
constexpr const char* kGpt2Attention[] = {"c_attn.weight", "c_proj.weight"};
constexpr const char* kBertAttention[] = {"self.query.weight", "self.key.weight",
                                          "self.value.weight", "output.dense.weight"};
constexpr const char* kLlamaAttention[] = {"q_proj.weight", "k_proj.weight", "v_proj.weight",
                                           "o_proj.weight"};

constexpr ModelKind kModelKinds[] = {
    {.name = "transformer",
     .what = "nn.Transformer",
     .input = ModelInput::Source,
     .keys = "norm_first activation layer_norm_eps",
     .prefix = "transformer.",
     .attention = kTorchAttention},
    {.name = "encoder",
     .what = "nn.TransformerEncoder",
     .input = ModelInput::Embeddings,
     .keys = "norm_first activation layer_norm_eps",
     .prefix = "encoder.",
     .attention = kTorchAttention},
    {.name = "decoder",
     .what = "nn.TransformerDecoder",
     .input = ModelInput::Memory,
     .keys = "norm_first activation layer_norm_eps",
     .prefix = "decoder.",
     .attention = kTorchAttention},
    {.name = "attention_only",
     .what = "a stack of attention layers",
     .input = ModelInput::Embeddings,
     .keys = "",
     .attention = kTorchAttention},
    {.name = "gpt2",
     .what = "GPT-2",
     .input = ModelInput::Ids,
     .activation = "gelu_tanh",
     .prefix = "transformer.",
     .causal = true,
     .weights_in_out = true,
     .attention = kGpt2Attention,
     .modules = kGpt2},
    {.name = "bert",
     .what = "BERT",
     .input = ModelInput::Ids,
     .activation = "gelu",
     .epsilon = 1e-12,
     .prefix = "bert.",
     .generates = false,
     .attention = kBertAttention,
     .modules = kBertModules},
    {.name = "llama",
     .what = "Llama",
     .input = ModelInput::Ids,
     .keys = "activation layer_norm_eps rope_base",
     .activation = "silu",
     .epsilon = 1e-6,
     .prefix = "model.",
     .causal = true,
     .rms_norms = true,
     .rotary = true,
     .attention = kLlamaAttention,
     .modules = kLlama},
};

}  // namespace

std::string ModelKind::module(std::string_view word) const {
  const auto at = std::find_if(modules.begin(), modules.end(),
                               [&](const ModuleName& each) { return each.word == word; });
  return at == modules.end() ? std::string(word) : at->module;
}

std::span<const ModelKind> model_kinds() { return kModelKinds; }

std::vector<std::string> activation_names() { return {"relu", "gelu", "gelu_tanh", "silu"}; }

const ModelKind* find_model_kind(std::string_view name) {
  const auto at = std::find_if(std::begin(kModelKinds), std::end(kModelKinds),
                               [&](const ModelKind& each) { return each.name == name; });
  return at == std::end(kModelKinds) ? nullptr : &*at;
}

}  // namespace attn
