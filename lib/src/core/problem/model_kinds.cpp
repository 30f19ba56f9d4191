// The table of whole models: what each reads, and how its layers are put together.
#include "core/problem/model_kinds.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/problem/encoder_decoder_kinds.hpp"
#include "core/problem/expert_kinds.hpp"
#include "core/problem/module_names.hpp"

namespace attn {
namespace {

constexpr ModelKind kLlama{.name = "llama",
                           .what = "Llama",
                           .input = ModelInput::Ids,
                           .keys = kLanguageKeys,
                           .more_keys = "rope_base",
                           .activation = "silu",
                           .epsilon = 1e-6,
                           .prefix = "model.",
                           .causal = true,
                           .rms_norms = true,
                           .positions = PositionKind::Rope,
                           .gated = true,
                           .attention = kLlamaAttention,
                           .usual = kLlamaModules};

constexpr ModelKind kBert{.name = "bert",
                          .what = "BERT",
                          .input = ModelInput::Ids,
                          .plan = ModelPlan::Bert,
                          .activation = "gelu",
                          .epsilon = 1e-12,
                          .prefix = "bert.",
                          .generates = false,
                          .form = LayerForm::NormLast,
                          .stack = "encoder.layer",
                          .self_attn = "attention",
                          .attention = kBertAttention,
                          .always = kBertAlways,
                          .modules = kBertModules};

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
  kind.always = kNormsAlways;
  kind.modules = kOlmo2Modules;
});

/// A model like Llama whose layers have experts, at least some of them.
constexpr ModelKind with_experts(const char* name, const char* what, const RouterForm& router,
                                 std::span<const ModuleName> modules,
                                 std::span<const char* const> always,
                                 std::string_view keys = kExpertKeys, double epsilon = 1e-6) {
  ModelKind kind = like(kLlama, name, what);
  kind.more_keys = keys;
  kind.epsilon = epsilon;
  kind.router = &router;
  kind.always = always;
  kind.modules = modules;
  return kind;
}

/// The same with latent attention.
constexpr ModelKind deepseek(const char* name, const char* what, const RouterForm& router) {
  ModelKind kind =
      with_experts(name, what, router, kDeepSeekModules, kLatentAlways, kGroupedExpertKeys);
  kind.attention = kLatentAttention;
  return kind;
}

constexpr ModelKind kModelKinds[] = {
    {.name = "transformer",
     .what = "nn.Transformer",
     .input = ModelInput::Source,
     .keys = "norm_first activation layer_norm_eps",
     .plan = ModelPlan::Transformer,
     .prefix = "transformer.",
     .form = LayerForm::NormLast,
     .cross_attn = "multihead_attn",
     .attention = kTorchAttention,
     .always = kTorchAlways,
     .biases_alike = true},
    {.name = "encoder",
     .what = "nn.TransformerEncoder",
     .input = ModelInput::Embeddings,
     .keys = "norm_first activation layer_norm_eps",
     .plan = ModelPlan::Encoder,
     .prefix = "encoder.",
     .form = LayerForm::NormLast,
     .attention = kTorchAttention,
     .always = kTorchAlways,
     .biases_alike = true},
    {.name = "decoder",
     .what = "nn.TransformerDecoder",
     .input = ModelInput::Memory,
     .keys = "norm_first activation layer_norm_eps",
     .plan = ModelPlan::Decoder,
     .prefix = "decoder.",
     .form = LayerForm::NormLast,
     .cross_attn = "multihead_attn",
     .attention = kTorchAttention,
     .always = kTorchAlways,
     .biases_alike = true},
    {.name = "attention_only",
     .what = "a stack of attention layers",
     .input = ModelInput::Embeddings,
     .keys = "",
     .plan = ModelPlan::AttentionOnly,
     .attention = kTorchAttention,
     .always = kTorchAlways,
     .biases_alike = true},
    {.name = "layer_norm",
     .what = "nn.LayerNorm",
     .input = ModelInput::Embeddings,
     .keys = "layer_norm_eps",
     .plan = ModelPlan::Part,
     .generates = false,
     .only = "norm",
     .attention = kTorchAttention},
    {.name = "rms_norm",
     .what = "nn.RMSNorm",
     .input = ModelInput::Embeddings,
     .keys = "layer_norm_eps",
     .plan = ModelPlan::Part,
     .epsilon = 1e-6,
     .generates = false,
     .rms_norms = true,
     .only = "norm",
     .attention = kTorchAttention},
    {.name = "feed_forward",
     .what = "a feed-forward network",
     .input = ModelInput::Embeddings,
     .keys = "activation",
     .plan = ModelPlan::Part,
     .generates = false,
     .gate_if_any = true,
     .attention = kTorchAttention,
     .modules = kFeedForwardModules},
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
     .always = kGpt2Always,
     .modules = kGpt2Modules},
    kBert,
    kLlama,
    like(kLlama, "mistral", "Mistral"),
    like(kLlama, "qwen2", "Qwen2", [](ModelKind& kind) { kind.always = kQwen2Always; }),
    like(kLlama, "qwen3", "Qwen3", [](ModelKind& kind) { kind.always = kNormsAlways; }),
    like(kLlama, "smollm3", "SmolLM3"),
    like(kLlama, "granite", "Granite"),
    kGemma,
    kGemma2,
    like(kGemma2, "gemma3_text", "Gemma 3", [](ModelKind& kind) { kind.always = kNormsAlways; }),
    kOlmo2,
    like(kOlmo2, "olmo3", "OLMo 3"),
    {.name = "phi",
     .what = "Phi",
     .input = ModelInput::Ids,
     .keys = kLanguageKeys,
     .more_keys = "rope_base",
     .activation = "gelu_tanh",
     .prefix = "model.",
     .causal = true,
     .positions = PositionKind::Rope,
     .form = LayerForm::Parallel,
     .attention = kPhiAttention,
     .always = kPhiAlways,
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
     .keys = kLanguageKeys,
     .more_keys = "rope_base parallel_residual",
     .activation = "gelu",
     .prefix = "gpt_neox.",
     .causal = true,
     .positions = PositionKind::Rope,
     .form = LayerForm::Parallel,
     .self_attn = "attention",
     .attention = kNeoxAttention,
     .always = kNeoxAlways,
     .modules = kNeoxModules},
    {.name = "opt",
     .what = "OPT",
     .input = ModelInput::Ids,
     .keys = kLanguageKeys,
     .prefix = "model.",
     .causal = true,
     .stack = "decoder.layers",
     .first_position = 2,
     .attention = kSeparateAttention,
     .always = kSeparateAlways,
     .modules = kOptModules},
    like(kBert, "roberta", "RoBERTa",
         [](ModelKind& kind) {
           kind.keys = "activation layer_norm_eps pad_id";
           kind.epsilon = 1e-5;
           kind.prefix = "roberta.";
           kind.first_position = 2;
           kind.head_activation = "gelu";
           kind.modules = kRobertaModules;
         }),
    like(kBert, "distilbert", "DistilBERT",
         [](ModelKind& kind) {
           kind.prefix = "distilbert.";
           kind.stack = "transformer.layer";
           kind.attention = kDistilBertAttention;
           kind.always = kDistilBertAlways;
           kind.modules = kDistilBertModules;
         }),
    {.name = "modernbert",
     .what = "ModernBERT",
     .input = ModelInput::Ids,
     .keys = "activation layer_norm_eps layers rope_base",
     .plan = ModelPlan::Bert,
     .activation = "gelu",
     .head_activation = "gelu",
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
     .plan = ModelPlan::Vit,
     .activation = "gelu",
     .epsilon = 1e-12,
     .prefix = "vit.",
     .generates = false,
     .stack = "encoder.layer",
     .self_attn = "attention",
     .attention = kVitAttention,
     .always = kVitAlways,
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
     .always = kNeoxAlways,
     .modules = kBloomModules},
    with_experts("mixtral", "Mixtral", kMixtralRouter, kMixtralModules, {}, kExpertKeys, 1e-5),
    with_experts("qwen2_moe", "Qwen2-MoE", kQwen2Router, kQwenMoeModules, kQwen2Always),
    with_experts("qwen3_moe", "Qwen3-MoE", kQwen3Router, kQwenMoeModules, kNormsAlways),
    with_experts("gpt_oss", "gpt-oss", kGptOssRouter, kGptOssModules, kGptOssAlways, kExpertKeys,
                 1e-5),
    deepseek("deepseek_v2", "DeepSeek-V2", kDeepSeekV2Router),
    deepseek("deepseek_v3", "DeepSeek-V3", kDeepSeekV3Router),
    {.name = "falcon",
     .what = "Falcon",
     .input = ModelInput::Ids,
     .keys = "activation layer_norm_eps layers rope_base parallel_residual",
     .activation = "gelu",
     .prefix = "transformer.",
     .causal = true,
     .positions = PositionKind::Rope,
     .form = LayerForm::Parallel,
     .stack = "h",
     .self_attn = "self_attention",
     .attention = kNeoxAttention,
     .modules = kFalconModules},
    kT5,
    kBart,
    kWhisper,
};

}  // namespace

std::string ModelKind::module(std::string_view word) const {
  const std::vector<std::string> names = names_of(word);
  return names.empty() ? std::string(word) : names.front();
}

std::vector<ModuleName> ModelKind::all_modules() const {
  std::vector<ModuleName> all(modules.begin(), modules.end());
  std::copy_if(usual.begin(), usual.end(), std::back_inserter(all), [&](const ModuleName& each) {
    return std::none_of(modules.begin(), modules.end(), [&](const ModuleName& own) {
      return own.word == std::string_view(each.word);
    });
  });
  return all;
}

std::vector<std::string> ModelKind::names_of(std::string_view word) const {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t first = word.find_first_of(kDigits);  // the number of an expert
  const std::size_t last = std::min(word.find_first_not_of(kDigits, first), word.size());
  const bool numbered = first != word.npos && last < word.size() && word[last] == '.';
  const std::string any =
      numbered ? std::string(word.substr(0, first)) + "#" + std::string(word.substr(last))
               : std::string(word);
  std::vector<std::string> names;
  for (const ModuleName& each : all_modules()) {
    if (each.word != word && each.word != any) continue;
    std::string found = each.module;
    const std::size_t place = found.find('#');
    if (place != found.npos) found.replace(place, 1, word.substr(first, last - first));
    names.push_back(std::move(found));
  }
  return names;
}

bool ModelKind::has(std::string_view word) const { return !names_of(word).empty(); }

bool ModelKind::is_biased(std::string_view word) const {
  const std::vector<ModuleName> all = all_modules();
  return std::any_of(all.begin(), all.end(),
                     [&](const ModuleName& each) { return each.biased && each.word == word; });
}

std::vector<std::string> ModelKind::lacking(const WeightArrays& own, bool complete,
                                            bool biased) const {
  std::vector<std::string> names;
  const auto demand = [&](const std::string& part) {
    if (!own.contains(part)) names.push_back(part);
  };
  if (!complete) std::for_each(attention.begin(), attention.end(), demand);
  for (const std::string part : always) {
    if (biased || !part.ends_with("bias")) demand(part);
  }
  if (!is_latent()) return names;
  constexpr const char* kQueries[] = {"q_a_proj.weight", "q_a_layernorm.weight", "q_b_proj.weight"};
  const bool by_latent = std::any_of(std::begin(kQueries), std::end(kQueries),
                                     [&](const char* part) { return own.contains(part); });
  if (!by_latent)
    demand("q_proj.weight");  // DeepSeek-V2-Lite
  else
    std::for_each(std::begin(kQueries), std::end(kQueries), demand);
  return names;
}

bool ModelKind::reads(std::string_view key) const {
  const std::string all = " " + std::string(keys) + " " + std::string(more_keys) + " ";
  return all.find(" " + std::string(key) + " ") != all.npos;
}

std::span<const ModelKind> model_kinds() { return kModelKinds; }

std::vector<std::string> activation_names() { return {"relu", "gelu", "gelu_tanh", "silu"}; }

const ModelKind* find_model_kind(std::string_view name) {
  const auto at = std::find_if(std::begin(kModelKinds), std::end(kModelKinds),
                               [&](const ModelKind& each) { return each.name == name; });
  return at == std::end(kModelKinds) ? nullptr : &*at;
}

}  // namespace attn
