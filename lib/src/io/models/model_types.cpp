// The table of families: the keys of their configurations. Defaults are those of transformers.
#include "io/models/model_types.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "attn/phrases.hpp"
#include "io/models/size_keys.hpp"

namespace attn {
namespace {

bool every_layer(const WindowKeys&, Index) { return true; }
bool later_layers(const WindowKeys& keys, Index layer) {
  return keys.used.value_or(false) && layer >= keys.first.value_or(28);
}
bool every_other_of_the_first(const WindowKeys& keys, Index layer) {
  return keys.used.value_or(false) && layer % 2 == 0 && layer < keys.first.value_or(28);
}
bool every_layer_if_used(const WindowKeys& keys, Index) { return keys.used.value_or(false); }
bool all_but_every_nth(const WindowKeys& keys, Index layer) {
  return (layer + 1) % keys.pattern != 0;
}

/// 1 / √query_pre_attn_scalar in place of 1 / √d_k, and softcaps of scores and logits.
void read_gemma3(Config& config, ProblemDraft& draft) {
  const double scalar = config.number("query_pre_attn_scalar").value_or(256.0);
  draft.scale = {ScaleRule::Kind::Number, 1.0 / std::sqrt(scalar)};
  draft.softcap = config.number("attn_logit_softcapping");
  draft.model->logits_softcap = config.number("final_logit_softcapping");
  if (config.flag("use_bidirectional_attention") == true) draft.masks = {parse_mask("none")};
}

/// The same, with softcaps that only null turns off.
void read_gemma2(Config& config, ProblemDraft& draft) {
  read_gemma3(config, draft);
  const auto usual = [&](const char* key, std::optional<double>& cap, double value) {
    if (json::find(*config.root, key) == nullptr) cap = value;
  };
  usual("attn_logit_softcapping", draft.softcap, 50.0);
  usual("final_logit_softcapping", draft.model->logits_softcap, 30.0);
}

void read_granite(Config& config, ProblemDraft& draft) {
  draft.scale = {ScaleRule::Kind::Number, config.number("attention_multiplier").value_or(1.0)};
  draft.model->embedding_multiplier = config.number("embedding_multiplier");
  draft.model->residual_multiplier = config.number("residual_multiplier");
  draft.model->logits_scaling = config.number("logits_scaling");
}

/// Layers marked 0 know no positions: every fourth, unless the config lists them.
void read_smollm3(Config& config, ProblemDraft& draft) {
  std::vector<Index> with_positions;
  config.with("no_rope_layers",
              [&](const json::Value& value) { with_positions = json::read_counts(value, 0); });
  const Index every = config.count("no_rope_layer_interval").value_or(4);
  const Index layers = config.count("num_hidden_layers").value_or(36);
  for (Index i = 0; with_positions.empty() ? i < layers : i < std::ssize(with_positions); ++i) {
    LayerSettings& layer = draft.model->layers.emplace_back();
    const bool rotates = with_positions.empty() ? (i + 1) % every != 0
                                                : with_positions[static_cast<std::size_t>(i)] != 0;
    if (!rotates) layer.positions = PositionKind::None;
  }
}

void read_neox(Config& config, ProblemDraft& draft) {
  if (const auto base = config.number("rotary_emb_base")) draft.model->rope_base = base;
  draft.positions.partial_rotary_factor = config.number("rotary_pct");
  if (config.flag("use_parallel_residual") == false) draft.model->parallel_residual = false;
}

void read_opt(Config& config, ProblemDraft&) {
  if (config.flag("do_layer_norm_before") == false)
    config.refuse("do_layer_norm_before", "attn does not compute OPT with norms after the sums");
  if (config.flag("_remove_final_layer_norm") == true)
    config.refuse("_remove_final_layer_norm", "attn does not compute OPT without its last norm");
}

void read_roberta(Config& config, ProblemDraft& draft) {
  draft.model->pad_id = config.count("pad_token_id", 0);
}

void demand_gelu_of_head(Config& config) {
  config.with("classifier_activation", [&](const json::Value& value) {
    if (json::read_text(value) != "gelu")
      config.refuse("classifier_activation", "attn computes the head of ModernBERT only with gelu");
  });
}

/// Windows in all layers but every third; as many keys after the query as before it.
void read_modernbert(Config& config, ProblemDraft& draft) {
  demand_gelu_of_head(config);
  const Index every = config.count("global_attn_every_n_layers").value_or(3);
  const Index layers = config.count("num_hidden_layers").value_or(22);
  draft.model->rope_base = config.number("global_rope_theta").value_or(160000.0);
  for (Index i = 0; i < layers; ++i) {
    LayerSettings& layer = draft.model->layers.emplace_back();
    if (i % every == 0) continue;
    layer.window = config.count("local_attention").value_or(128) / 2 + 1;
    layer.rope_base =
        config.find("local_rope_theta") || !json::find(*config.root, "local_rope_theta")
            ? config.number("local_rope_theta").value_or(10000.0)
            : draft.model->rope_base;
  }
}

void read_bloom(Config& config, ProblemDraft&) {
  if (config.flag("apply_residual_connection_post_layernorm") == true)
    config.refuse("apply_residual_connection_post_layernorm",
                  "attn does not compute BLOOM whose sums begin with the norm");
}

/// Which layers have experts is in the weights, not taken from these keys.
constexpr const char* kQwenMoeKeys =
    "num_experts num_experts_per_tok norm_topk_prob moe_intermediate_size "
    "shared_expert_intermediate_size decoder_sparse_step mlp_only_layers";
constexpr const char* kDeepSeekKeys =
    "n_routed_experts n_shared_experts num_experts_per_tok norm_topk_prob moe_intermediate_size "
    "n_group topk_group topk_method scoring_func routed_scaling_factor first_k_dense_replace "
    "moe_layer_freq kv_lora_rank q_lora_rank qk_nope_head_dim qk_rope_head_dim v_head_dim "
    "rope_interleave";
constexpr const char* kGeluKey = "hidden_activation";

constexpr ModelType kTypes[] = {
    {.name = "gpt2",
     .kind = "gpt2",
     .sizes = kGpt2Sizes,
     .heads = "n_head",
     .activation = "activation_function",
     .epsilon = "layer_norm_epsilon",
     .tied = true},
    {.name = "bert",
     .kind = "bert",
     .sizes = kBertSizes,
     .epsilon = "layer_norm_eps",
     .tied = true},
    {.name = "roberta",
     .kind = "roberta",
     .sizes = kBertSizes,
     .epsilon = "layer_norm_eps",
     .tied = true,
     .read = read_roberta},
    {.name = "distilbert",
     .kind = "distilbert",
     .sizes = kDistilBertSizes,
     .heads = "n_heads",
     .activation = "activation",
     .epsilon = "",
     .tied = true},
    {.name = "llama", .kind = "llama", .sizes = kLlamaSizes},
    {.name = "mistral",
     .kind = "mistral",
     .sizes = kLlamaSizes,
     .window = 4096,
     .has_window = every_layer},
    {.name = "qwen2",
     .kind = "qwen2",
     .sizes = kLlamaSizes,
     .window = 4096,
     .has_window = later_layers},
    {.name = "qwen3",
     .kind = "qwen3",
     .sizes = kLlamaSizes,
     .window = 4096,
     .has_window = later_layers},
    {.name = "mixtral",
     .kind = "mixtral",
     .sizes = kMixtralSizes,
     .rope_base = 1e6,
     .has_window = every_layer,
     .keys = "num_local_experts num_experts_per_tok",
     .read = read_experts},
    {.name = "qwen2_moe",
     .kind = "qwen2_moe",
     .sizes = kQwenMoeSizes,
     .window = 4096,
     .has_window = every_other_of_the_first,
     .keys = kQwenMoeKeys,
     .read = read_qwen_experts,
     .check = check_qwen_experts},
    {.name = "qwen3_moe",
     .kind = "qwen3_moe",
     .sizes = kQwenMoeSizes,
     .window = 4096,
     .has_window = every_layer_if_used,
     .keys = kQwenMoeKeys,
     .read = read_qwen_experts,
     .check = check_qwen_experts},
    {.name = "gpt_oss",
     .kind = "gpt_oss",
     .sizes = kMixtralSizes,
     .rope_base = 150000.0,
     .window = 128,
     .has_window = all_but_every_nth,
     .pattern = 2,
     .keys = "num_local_experts num_experts_per_tok swiglu_limit swiglu_alpha",
     .read = read_gpt_oss},
    {.name = "deepseek_v2",
     .kind = "deepseek_v2",
     .sizes = kDeepSeekSizes,
     .keys = kDeepSeekKeys,
     .read = read_deepseek_v2,
     .check = check_deepseek_experts},
    {.name = "deepseek_v3",
     .kind = "deepseek_v3",
     .sizes = kDeepSeekSizes,
     .keys = kDeepSeekKeys,
     .read = read_deepseek_v3,
     .check = check_deepseek_experts},
    {.name = "smollm3",
     .kind = "smollm3",
     .sizes = kLlamaSizes,
     .tied = true,
     .rope_base = 2e6,
     .keys = "no_rope_layers no_rope_layer_interval",
     .read = read_smollm3},
    {.name = "granite",
     .kind = "granite",
     .sizes = kLlamaSizes,
     .keys = "attention_multiplier embedding_multiplier residual_multiplier logits_scaling",
     .read = read_granite},
    {.name = "gemma", .kind = "gemma", .sizes = kLlamaSizes, .activation = kGeluKey, .tied = true},
    {.name = "gemma2",
     .kind = "gemma2",
     .sizes = kLlamaSizes,
     .activation = kGeluKey,
     .tied = true,
     .window = 4096,
     .has_window = all_but_every_nth,
     .pattern = 2,
     .keys = "query_pre_attn_scalar attn_logit_softcapping final_logit_softcapping",
     .read = read_gemma2},
    {.name = "gemma3_text",
     .kind = "gemma3_text",
     .sizes = kLlamaSizes,
     .usual_heads = 8,
     .usual_kv_heads = 4,
     .activation = kGeluKey,
     .tied = true,
     .rope_base = 1e6,
     .window = 4096,
     .has_window = all_but_every_nth,
     .pattern = 6,
     .plain_windows = true,
     .local_base = 10000.0,
     .keys = "query_pre_attn_scalar attn_logit_softcapping final_logit_softcapping "
             "rope_local_base_freq use_bidirectional_attention",
     .read = read_gemma3},
    {.name = "olmo2", .kind = "olmo2", .sizes = kLlamaSizes},
    {.name = "olmo3",
     .kind = "olmo3",
     .sizes = kLlamaSizes,
     .window = 4096,
     .has_window = all_but_every_nth,
     .pattern = 4,
     .plain_windows = true},
    {.name = "phi",
     .kind = "phi",
     .sizes = kLlamaSizes,
     .epsilon = "layer_norm_eps",
     .rotary_part = 0.5,
     .keys = "qk_layernorm"},
    {.name = "phi3", .kind = "phi3", .sizes = kLlamaSizes, .has_window = every_layer},
    {.name = "gpt_neox",
     .kind = "gpt_neox",
     .sizes = kLlamaSizes,
     .epsilon = "layer_norm_eps",
     .rotary_part = 0.25,
     .keys = "rotary_pct rotary_emb_base use_parallel_residual",
     .read = read_neox},
    {.name = "opt",
     .kind = "opt",
     .sizes = kOptSizes,
     .activation = "activation_function",
     .epsilon = "",
     .tied = true,
     .keys = "do_layer_norm_before _remove_final_layer_norm",
     .read = read_opt},
    {.name = "modernbert",
     .kind = "modernbert",
     .sizes = kLlamaSizes,
     .activation = kGeluKey,
     .epsilon = "norm_eps",
     .tied = true,
     .keys = "global_rope_theta local_rope_theta local_attention global_attn_every_n_layers",
     .read = read_modernbert},
    {.name = "vit", .kind = "vit", .sizes = kVitSizes, .epsilon = "layer_norm_eps", .tied = true},
    {.name = "bloom",
     .kind = "bloom",
     .sizes = kBloomSizes,
     .heads = "n_head",
     .activation = "",
     .epsilon = "layer_norm_epsilon",
     .tied = true,
     .keys = "apply_residual_connection_post_layernorm",
     .read = read_bloom},
    {.name = "falcon",
     .kind = "falcon",
     .sizes = kLlamaSizes,
     .activation = "activation",
     .epsilon = "layer_norm_epsilon",
     .tied = true,
     .keys = "multi_query parallel_attn new_decoder_architecture alibi",
     .read = read_falcon},
    {.name = "t5",
     .kind = "t5",
     .sizes = kT5Sizes,
     .heads = "num_heads",
     .activation = "",
     .epsilon = "layer_norm_epsilon",
     .tied = true,
     .keys = "is_encoder_decoder relative_attention_num_buckets",
     .read = read_t5,
     .check = check_t5_gates},
    {.name = "bart",
     .kind = "bart",
     .sizes = kBartSizes,
     .heads = "encoder_attention_heads",
     .activation = "activation_function",
     .epsilon = "",
     .tied = true,
     .keys = "is_encoder_decoder scale_embedding",
     .read = read_bart},
    {.name = "whisper",
     .kind = "whisper",
     .sizes = kBartSizes,
     .heads = "encoder_attention_heads",
     .activation = "activation_function",
     .epsilon = "",
     .tied = true,
     .keys = "is_encoder_decoder scale_embedding",
     .read = read_bart},
};

/// Types of language models that also see, and what they are for text alone.
constexpr std::pair<const char*, const char*> kSeeingTypes[] = {{"qwen2_vl", "qwen2"},
                                                                {"qwen2_vl_text", "qwen2"},
                                                                {"qwen2_5_vl", "qwen2"},
                                                                {"qwen2_5_vl_text", "qwen2"},
                                                                {"qwen3_vl_text", "qwen3"}};

/// What attn reads only one attention layer of.
struct RefusedType {
  std::string_view begins;
  const char* what;
};
constexpr RefusedType kRefusedTypes[] = {{"llama4", "Llama 4"},         {"gemma3n", "Gemma 3n"},
                                         {"cohere", "Cohere's models"}, {"glm", "GLM"},
                                         {"qwen3_next", "Qwen3-Next"},  {"chatglm", "GLM"}};

void refuse_type(Config& config, const std::string& name) {
  const auto* refused =
      std::find_if(std::begin(kRefusedTypes), std::end(kRefusedTypes),
                   [&](const RefusedType& each) { return name.starts_with(each.begins); });
  if (refused != std::end(kRefusedTypes)) {
    config.refuse("model_type", filled("attn does not compute {} as a whole", refused->what),
                  "Give the file of weights without its configuration, and choose one of its "
                  "attention layers by the beginning of its names.");
    return;
  }
  std::vector<std::string> names;
  for (const ModelType& each : kTypes) names.emplace_back(each.name);
  config.complaints.add("not-supported", name.empty() ? "" : config.pointer_to("model_type"),
                        name.empty()
                            ? "this file has no \"model_type\"; Hugging Face's config.json has one"
                            : "attn has no models of the type \"" + name + "\"",
                        name.empty() ? "Give the config.json of the model."
                                     : "Choose a model of the type " + either(names) + ".");
}

}  // namespace

const ModelType& type_of(Config& config) {
  std::string name;
  config.with("model_type", [&](const json::Value& value) { name = json::read_text(value); });
  for (const auto& [sees, alone] : kSeeingTypes) {
    if (name != sees) continue;
    config.sees = true;
    name = alone;
  }
  const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const ModelType& each) { return each.name == name; });
  if (type != std::end(kTypes)) return *type;
  refuse_type(config, name);
  config.complaints.throw_all();
  return kTypes[0];
}

}  // namespace attn
