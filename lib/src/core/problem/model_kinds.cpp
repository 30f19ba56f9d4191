// The table of whole models: what each reads, and what its library calls the parts of a layer.
#include "core/problem/model_kinds.hpp"

#include <algorithm>

#include "core/problem/expert_kinds.hpp"

namespace attn {
namespace {

constexpr ModuleName kGpt2Modules[] = {
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
    {"predictions.bias", "cls.predictions.bias"},
    {"logits", "cls.predictions.decoder"},
};

constexpr ModuleName kLlamaModules[] = {
    {"norm1", "input_layernorm"},    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_proj"},    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},      {"norm", "norm"},
    {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

constexpr ModuleName kGemma2Modules[] = {
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

constexpr ModuleName kOlmo2Modules[] = {
    {"norm1", "post_attention_layernorm"},
    {"norm2", "post_feedforward_layernorm"},
    {"linear1", "mlp.gate_proj"},
    {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.up_proj"},
    {"norm", "norm"},
    {"token_table", "embed_tokens"},
    {"logits", "lm_head"},
};

constexpr ModuleName kPhiModules[] = {
    {"norm1", "input_layernorm"}, {"linear1", "mlp.fc1"},          {"linear2", "mlp.fc2"},
    {"norm", "final_layernorm"},  {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

constexpr ModuleName kPhi3Modules[] = {
    {"norm1", "input_layernorm"},    {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.gate_up_proj"}, {"linear2", "mlp.down_proj"},
    {"linear3", "mlp.gate_up_proj"}, {"norm", "norm"},
    {"token_table", "embed_tokens"}, {"logits", "lm_head"},
};

constexpr ModuleName kNeoxModules[] = {
    {"norm1", "input_layernorm"},     {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.dense_h_to_4h"}, {"linear2", "mlp.dense_4h_to_h"},
    {"norm", "final_layer_norm"},     {"token_table", "embed_in"},
    {"logits", "embed_out"},
};

constexpr ModuleName kOptModules[] = {
    {"norm1", "self_attn_layer_norm"},
    {"norm2", "final_layer_norm"},
    {"linear1", "fc1"},
    {"linear2", "fc2"},
    {"norm", "decoder.final_layer_norm"},
    {"token_table", "decoder.embed_tokens"},
    {"position_table", "decoder.embed_positions"},
    {"logits", "lm_head"},
};

constexpr ModuleName kRobertaModules[] = {
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

constexpr ModuleName kDistilBertModules[] = {
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

constexpr ModuleName kModernBertModules[] = {
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

constexpr ModuleName kVitModules[] = {
    {"norm1", "layernorm_before"}, {"norm2", "layernorm_after"}, {"linear1", "intermediate.dense"},
    {"linear2", "output.dense"},   {"norm", "layernorm"},
};

constexpr ModuleName kBloomModules[] = {
    {"norm1", "input_layernorm"},       {"norm2", "post_attention_layernorm"},
    {"linear1", "mlp.dense_h_to_4h"},   {"linear2", "mlp.dense_4h_to_h"},
    {"x", "word_embeddings_layernorm"}, {"norm", "ln_f"},
    {"token_table", "word_embeddings"}, {"logits", "lm_head"},
};

constexpr const char* kTorchAttention[] = {"in_proj_weight", "out_proj.weight"};
constexpr const char* kGpt2Attention[] = {"c_attn.weight", "c_proj.weight"};
constexpr const char* kBertAttention[] = {"self.query.weight", "self.key.weight",
                                          "self.value.weight", "output.dense.weight"};
constexpr const char* kLlamaAttention[] = {"q_proj.weight", "k_proj.weight", "v_proj.weight",
                                           "o_proj.weight"};

constexpr const char* kPhiAttention[] = {"q_proj.weight", "k_proj.weight", "v_proj.weight",
                                         "dense.weight"};
constexpr const char* kPhi3Attention[] = {"qkv_proj.weight", "o_proj.weight"};
constexpr const char* kNeoxAttention[] = {"query_key_value.weight", "dense.weight"};
constexpr const char* kOptAttention[] = {"q_proj.weight", "k_proj.weight", "v_proj.weight",
                                         "out_proj.weight"};
constexpr const char* kDistilBertAttention[] = {"q_lin.weight", "k_lin.weight", "v_lin.weight",
                                                "out_lin.weight"};

constexpr const char* kModernBertAttention[] = {"Wqkv.weight", "Wo.weight"};
constexpr const char* kVitAttention[] = {"attention.query.weight", "attention.key.weight",
                                         "attention.value.weight", "output.dense.weight"};

constexpr ModelKind kLlama{.name = "llama",
                           .what = "Llama",
                           .input = ModelInput::Ids,
                           .keys = kRotaryKeys,
                           .activation = "silu",
                           .epsilon = 1e-6,
                           .prefix = "model.",
                           .causal = true,
                           .rms_norms = true,
                           .positions = PositionKind::Rope,
                           .gated = true,
                           .attention = kLlamaAttention,
                           .modules = kLlamaModules};

constexpr ModelKind kBert{.name = "bert",
                          .what = "BERT",
                          .input = ModelInput::Ids,
                          .activation = "gelu",
                          .epsilon = 1e-12,
                          .prefix = "bert.",
                          .generates = false,
                          .form = LayerForm::NormLast,
                          .stack = "encoder.layer",
                          .self_attn = "attention",
                          .attention = kBertAttention,
                          .modules = kBertModules};

/// Another family of the same kind: what is different.
template <typename F>
constexpr ModelKind like(ModelKind kind, const char* name, const char* what, F change) {
  kind.name = name;
  kind.what = what;
  change(kind);
  return kind;
}
constexpr ModelKind like(const ModelKind& kind, const char* name, const char* what) {
  return like(kind, name, what, [](ModelKind&) {});
}

constexpr ModelKind kGemma = like(kLlama, "gemma", "Gemma", [](ModelKind& kind) {
  kind.activation = "gelu_tanh";
  kind.norm_offset = 1.0;
  kind.root_embeddings = true;
});

constexpr ModelKind kGemma2 = like(kGemma, "gemma2", "Gemma 2", [](ModelKind& kind) {
  kind.form = LayerForm::NormAround;
  kind.modules = kGemma2Modules;
});

constexpr ModelKind kOlmo2 = like(kLlama, "olmo2", "OLMo 2", [](ModelKind& kind) {
  kind.epsilon = 1e-5;
  kind.form = LayerForm::NormOfBranch;
  kind.modules = kOlmo2Modules;
});

/// A model like Llama whose layers have experts, at least some of them.
constexpr ModelKind with_experts(const char* name, const char* what, const RouterForm& router,
                                 std::span<const ModuleName> modules,
                                 std::string_view keys = kExpertKeys, double epsilon = 1e-6) {
  ModelKind kind = like(kLlama, name, what);
  kind.keys = keys;
  kind.epsilon = epsilon;
  kind.router = &router;
  kind.modules = modules;
  return kind;
}

/// The same with latent attention.
constexpr ModelKind deepseek(const char* name, const char* what, const RouterForm& router) {
  ModelKind kind = with_experts(name, what, router, kDeepSeekModules, kGroupedExpertKeys);
  kind.attention = kLatentAttention;
  return kind;
}

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
     .keys = kLanguageKeys,
     .activation = "gelu_tanh",
     .prefix = "transformer.",
     .causal = true,
     .stack = "h",
     .self_attn = "attn",
     .weights_in_out = true,
     .attention = kGpt2Attention,
     .modules = kGpt2Modules},
    kBert,
    kLlama,
    like(kLlama, "mistral", "Mistral"),
    like(kLlama, "qwen2", "Qwen2"),
    like(kLlama, "qwen3", "Qwen3"),
    like(kLlama, "smollm3", "SmolLM3"),
    like(kLlama, "granite", "Granite"),
    kGemma,
    kGemma2,
    like(kGemma2, "gemma3_text", "Gemma 3"),
    kOlmo2,
    like(kOlmo2, "olmo3", "OLMo 3"),
    {.name = "phi",
     .what = "Phi",
     .input = ModelInput::Ids,
     .keys = kRotaryKeys,
     .activation = "gelu_tanh",
     .prefix = "model.",
     .causal = true,
     .positions = PositionKind::Rope,
     .form = LayerForm::Parallel,
     .attention = kPhiAttention,
     .modules = kPhiModules},
    like(kLlama, "phi3", "Phi-3",
         [](ModelKind& kind) {
           kind.epsilon = 1e-5;
           kind.attention = kPhi3Attention;
           kind.modules = kPhi3Modules;
         }),
    {.name = "gpt_neox",
     .what = "GPT-NeoX",
     .input = ModelInput::Ids,
     .keys = "activation layer_norm_eps layers embedding_multiplier residual_multiplier "
             "logits_scaling logits_softcap rope_base parallel_residual",
     .activation = "gelu",
     .prefix = "gpt_neox.",
     .causal = true,
     .positions = PositionKind::Rope,
     .form = LayerForm::Parallel,
     .self_attn = "attention",
     .attention = kNeoxAttention,
     .modules = kNeoxModules},
    {.name = "opt",
     .what = "OPT",
     .input = ModelInput::Ids,
     .keys = kLanguageKeys,
     .prefix = "model.",
     .causal = true,
     .stack = "decoder.layers",
     .first_position = 2,
     .attention = kOptAttention,
     .modules = kOptModules},
    like(kBert, "roberta", "RoBERTa",
         [](ModelKind& kind) {
           kind.keys = "activation layer_norm_eps pad_id";
           kind.epsilon = 1e-5;
           kind.prefix = "roberta.";
           kind.first_position = 2;
           kind.modules = kRobertaModules;
         }),
    like(kBert, "distilbert", "DistilBERT",
         [](ModelKind& kind) {
           kind.prefix = "distilbert.";
           kind.stack = "transformer.layer";
           kind.attention = kDistilBertAttention;
           kind.modules = kDistilBertModules;
         }),
    {.name = "modernbert",
     .what = "ModernBERT",
     .input = ModelInput::Ids,
     .keys = "activation layer_norm_eps layers rope_base",
     .activation = "gelu",
     .prefix = "model.",
     .generates = false,
     .positions = PositionKind::Rope,
     .self_attn = "attn",
     .gated = true,
     .bare_first = true,
     .attention = kModernBertAttention,
     .modules = kModernBertModules},
    {.name = "vit",
     .what = "ViT",
     .input = ModelInput::Embeddings,
     .activation = "gelu",
     .epsilon = 1e-12,
     .prefix = "vit.",
     .generates = false,
     .stack = "encoder.layer",
     .self_attn = "attention",
     .attention = kVitAttention,
     .modules = kVitModules},
    {.name = "bloom",
     .what = "BLOOM",
     .input = ModelInput::Ids,
     .keys = kLanguageKeys,
     .activation = "gelu_tanh",
     .prefix = "transformer.",
     .causal = true,
     .positions = PositionKind::Alibi,
     .stack = "h",
     .self_attn = "self_attention",
     .attention = kNeoxAttention,
     .modules = kBloomModules},
    with_experts("mixtral", "Mixtral", kMixtralRouter, kMixtralModules, kExpertKeys, 1e-5),
    with_experts("qwen2_moe", "Qwen2-MoE", kQwen2Router, kQwenMoeModules),
    with_experts("qwen3_moe", "Qwen3-MoE", kQwen3Router, kQwenMoeModules),
    with_experts("gpt_oss", "gpt-oss", kGptOssRouter, kGptOssModules, kExpertKeys, 1e-5),
    deepseek("deepseek_v2", "DeepSeek-V2", kDeepSeekV2Router),
    deepseek("deepseek_v3", "DeepSeek-V3", kDeepSeekV3Router),
};

}  // namespace

std::string ModelKind::module(std::string_view word) const {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t first = word.find_first_of(kDigits);  // the number of an expert
  const std::size_t last = std::min(word.find_first_not_of(kDigits, first), word.size());
  const bool numbered = first != word.npos && last < word.size() && word[last] == '.';
  const std::string any =
      numbered ? std::string(word.substr(0, first)) + "#" + std::string(word.substr(last))
               : std::string(word);
  const auto at = std::find_if(modules.begin(), modules.end(), [&](const ModuleName& each) {
    return each.word == word || each.word == any;
  });
  if (at == modules.end()) return std::string(word);
  std::string module = at->module;
  const std::size_t place = module.find('#');
  if (place != module.npos) module.replace(place, 1, word.substr(first, last - first));
  return module;
}

bool ModelKind::has(std::string_view word) const {
  return std::any_of(modules.begin(), modules.end(),
                     [&](const ModuleName& each) { return each.word == word; });
}

bool ModelKind::reads(std::string_view key) const {
  return (" " + std::string(keys) + " ").find(" " + std::string(key) + " ") != std::string::npos;
}

std::span<const ModelKind> model_kinds() { return kModelKinds; }

std::vector<std::string> activation_names() { return {"relu", "gelu", "gelu_tanh", "silu"}; }

const ModelKind* find_model_kind(std::string_view name) {
  const auto at = std::find_if(std::begin(kModelKinds), std::end(kModelKinds),
                               [&](const ModelKind& each) { return each.name == name; });
  return at == std::end(kModelKinds) ? nullptr : &*at;
}

}  // namespace attn
