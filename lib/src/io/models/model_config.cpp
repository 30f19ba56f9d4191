// Hugging Face's config.json: which model it is, and whether attn can compute it.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "core/problem/build_model.hpp"
#include "core/problem/model_checks.hpp"
#include "core/problem/model_kinds.hpp"
#include "io/models/model_types.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

/// Hugging Face's names of activations, and ours.
constexpr std::pair<const char*, const char*> kActivations[] = {
    {"gelu_new", "gelu_tanh"},  {"gelu_pytorch_tanh", "gelu_tanh"},
    {"gelu_fast", "gelu_tanh"}, {"gelu", "gelu"},
    {"relu", "relu"},           {"silu", "silu"},
    {"swish", "silu"},
};

void read_activation(const json::Value& value, ModelDraft& model) {
  const std::string& name = json::read_text(value);
  for (const auto& [theirs, ours] : kActivations) {
    if (name != theirs) continue;
    model.activation = ours;
    return;
  }
  throw input_error({.id = "not-supported",
                     .what = "attn has no activation called \"" + name + "\"",
                     .places = {{.pointer = value.pointer}},
                     .fix = "Choose a model with " + either(activation_names()) + "."});
}

/// Positions of pictures have three numbers each; for text the three are the same, and rotation is
/// the plain one.
json::Node without_pictures(const json::Node& node) {
  const auto* members = std::get_if<json::Members>(&node.value);
  if (!members) return node;
  json::Members kept;
  for (const json::Member& each : *members) {
    const auto* text = std::get_if<std::string>(&each.value.value);
    const bool of_pictures = each.key.starts_with("mrope_") || (text && *text == "mrope");
    if (!of_pictures) kept.push_back(each);
  }
  return {node.offset, std::move(kept)};
}

/// Whether positions are not scaled: numbers of the type "default" count for nothing, but numbers
/// without a type do not say what they are for.
bool says_nothing(const RopeScaling& scaling, bool typed) {
  if (scaling.partial_rotary_factor.value_or(1.0) != 1.0) return false;
  if (typed) return scaling.kind == RopeScalingKind::Default;
  RopeScaling plain;
  plain.rope_theta = scaling.rope_theta;
  plain.partial_rotary_factor = scaling.partial_rotary_factor;
  return scaling == plain;
}

/// Hugging Face writes "rope_scaling" or "rope_parameters", and the lengths and the share beside
/// it.
void read_config_scaling(Config& config, const ModelType& type, ProblemDraft& draft) {
  std::optional<double> part = config.number("partial_rotary_factor");
  if (!part) part = std::exchange(draft.positions.partial_rotary_factor, std::nullopt);
  bool typed = false;
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (has_rope_of_types(config)) continue;
    config.with(key, [&](const json::Value& value) {
      const json::Node plain = config.sees ? without_pictures(value.node) : value.node;
      typed = typed || json::find(plain, "rope_type") || json::find(plain, "type");
      read_rope_scaling({value.file, plain, value.pointer}, draft);
    });
  }
  std::optional<RopeScaling>& scaling = draft.positions.scaling;
  if (scaling)
    draft.model->rope_base = scaling->rope_theta ? scaling->rope_theta : draft.model->rope_base;
  const bool said = part || (scaling && scaling->partial_rotary_factor);
  if (!said && type.rotary_part > 0.0) part = type.rotary_part;
  if (part != 1.0) draft.positions.partial_rotary_factor = part;
  if (scaling && says_nothing(*scaling, typed)) scaling.reset();
  if (scaling && !typed && scaling->kind == RopeScalingKind::Default &&
      scaling->partial_rotary_factor.value_or(1.0) == 1.0)
    config.complaints.add(
        "missing-key",
        config.pointer_to(config.find("rope_scaling") ? "rope_scaling" : "rope_parameters"),
        "these numbers scale positions, but there is no \"rope_type\" that says how",
        "Give the config.json of the model as it is.");
  if (scaling || draft.positions.partial_rotary_factor) draft.positions.kind = PositionKind::Rope;
  if (!scaling) return;
  for (const auto& [key, length] :
       {std::pair{"max_position_embeddings", &scaling->max_position_embeddings},
        {"original_max_position_embeddings", &scaling->original_max_position_embeddings}})
    config.with(key, [own = length](const json::Value& value) {
      if (!*own) *own = json::read_count(value, 1);
    });
}

/// What is read for each layer must end.
void check_layer_count(Config& config, const ModelDraft& model) {
  constexpr Index kMost = 10000;
  for (const StatedSize& each : model.sizes) {
    if (!each.what.ends_with("layers") || each.size <= kMost) continue;
    config.complaints.add(
        "out-of-range", each.pointer,
        filled("attn reads models of at most {} layers, not of {}", kMost, each.size),
        kSavedTogether);
    config.complaints.throw_all();
  }
}

void read_parts(Config& config, const ModelType& type, ProblemDraft& draft) {
  ModelDraft& model = *draft.model;
  draft.heads = config.count(type.heads);
  if (!draft.heads && type.usual_heads > 0) draft.heads = type.usual_heads;
  draft.kv_heads = config.count("num_key_value_heads");
  if (!draft.kv_heads && type.usual_kv_heads > 0) draft.kv_heads = type.usual_kv_heads;
  config.with(type.activation, [&](const json::Value& v) { read_activation(v, model); });
  model.layer_norm_eps = config.number(type.epsilon);
  model.rope_base = config.number("rope_theta");
  if (!model.rope_base && type.rope_base > 0.0) model.rope_base = type.rope_base;
  if (const auto norm = norm_of_type(*config.root)) {
    draft.qk_norm = *norm;
    if (!norm->eps) draft.qk_norm.eps = find_model_kind(type.kind)->epsilon;
  }
  for (const SizeKey& size : type.sizes) {
    if (const std::optional<Index> stated = config.count(size.key))
      model.sizes.push_back({size.what, *stated, config.pointer_to(size.key)});
  }
  check_layer_count(config, model);
  if (type.read) type.read(config, draft);
  read_config_scaling(config, type, draft);
  if (find_model_kind(type.kind)->encodes())
    model.start_id = config.count("decoder_start_token_id", 0);
  config.with("eos_token_id", [&](const json::Value& value) {
    model.end_ids = json::is_list(value.node) ? json::read_counts(value, 0)
                                              : std::vector<Index>{json::read_count(value, 0)};
  });
  read_layers(config, type, draft);
  if (draft.heads || config.complaints.any()) return;
  config.complaints.add("missing-key", config.pointer,
                        "expected the key \"" + std::string(type.heads) + "\", the number of heads",
                        "Give the config.json of the model as it is.");
}

/// The layer that makes the logits, where the family has one of its own.
std::string logits_of(const ModelType& type) {
  return find_model_kind(type.kind)->module("logits") + ".weight";
}

/// Tied logits use the embedding table, whatever else the file holds.
void tie_logits(Config& config, const ModelType& type, ModelTensors& weights) {
  const std::optional<bool> tied = config.flag("tie_word_embeddings");
  const std::string logits = logits_of(type);
  if (tied.value_or(type.tied)) weights.erase(logits);
  if (tied.value_or(true) || !find_model_kind(type.kind)->generates) return;
  if (weights.contains(logits)) return;
  config.complaints.add(
      "missing-key", config.pointer_to("tie_word_embeddings"),
      filled("the configuration says that logits have weights of their own, but there is no {}",
             logits),
      kSavedTogether);
}

/// DeepSeek-V3 is published with a layer more, which helped in training: it is not of the model.
void drop_later_layers(Config& config, ModelTensors& weights) {
  const std::optional<Index> layers = config.count("num_hidden_layers");
  const Index more = config.count("num_nextn_predict_layers", 0).value_or(0);
  constexpr std::string_view kPrefix = "model.layers.";
  std::erase_if(weights, [&](const auto& each) {
    if (!layers || more == 0 || !each.first.starts_with(kPrefix)) return false;
    const long long layer = std::atoll(each.first.c_str() + kPrefix.size());
    return layer >= *layers && layer - *layers < more;
  });
}

/// Where models that also see have the tensors of their language model, and what it is called
/// alone.
constexpr std::pair<const char*, const char*> kLanguageParts[] = {
    {"language_model.model.", "model."},
    {"model.language_model.", "model."},
    {"language_model.lm_head.", "lm_head."},
};

/// The language model of one that also sees: its object of the config, and its tensors.
void choose_text(Config& config, ModelTensors& weights) {
  const json::Node* text = config.find("text_config");
  if (!text) return;
  config.root = text;
  config.pointer = "/text_config";
  ModelTensors own;
  for (auto& [name, tensor] : weights) {
    const auto* part = std::find_if(
        std::begin(kLanguageParts), std::end(kLanguageParts),
        [&, &whole = name](const auto& each) { return whole.starts_with(each.first); });
    if (part != std::end(kLanguageParts)) {
      own[part->second + name.substr(std::string_view(part->first).size())] = std::move(tensor);
    } else if (name.starts_with("lm_head.")) {
      own[name] = std::move(tensor);
    }
  }
  if (!own.empty()) weights = std::move(own);
}

/// Where a configuration says what a setting is: the first of the keys that it has.
struct SettingKeys {
  const char* pointer;
  std::vector<const char*> keys;
};
const SettingKeys kSettingKeys[] = {
    {"/kv_heads", {"num_key_value_heads", "num_kv_heads", "multi_query"}},
    {"/scale", {"query_pre_attn_scalar", "attention_multiplier"}},
    {"/softcap", {"attn_logit_softcapping"}},
    {"/positions/base", {"rope_theta", "rotary_emb_base", "global_rope_theta", "rope_parameters"}},
    {"/positions/scaling", {"rope_scaling", "rope_parameters"}},
    {"/positions/partial_rotary_factor", {"partial_rotary_factor", "rotary_pct"}},
    {"/positions/num_buckets", {"relative_attention_num_buckets"}},
    {"/positions/max_distance", {"relative_attention_max_distance"}},
    {"/positions/slopes", {"alibi"}},
    {"/latent/nope_dim", {"qk_nope_head_dim"}},
    {"/latent/rope_dim", {"qk_rope_head_dim"}},
    {"/latent/v_dim", {"v_head_dim"}},
    {"/latent/rope_interleave", {"rope_interleave"}},
    {"/model/layers", {"layer_types", "no_rope_layers", "num_hidden_layers"}},
    {"/model/num_experts_per_tok", {"num_experts_per_tok"}},
    {"/model/n_group", {"n_group"}},
    {"/model/topk_group", {"topk_group"}},
    {"/model/pad_id", {"pad_token_id"}},
};

/// Errors about settings are about these keys.
void place_settings(const Config& config, const ModelType& type, const std::string& name,
                    SourceMap& places) {
  places.rename("/heads", config.pointer_to(type.heads));
  for (const SettingKeys& row : kSettingKeys) {
    const auto key = std::find_if(row.keys.begin(), row.keys.end(),
                                  [&](const char* each) { return config.find(each) != nullptr; });
    if (key == row.keys.end())
      places.override_with(row.pointer, name);
    else
      places.rename(row.pointer, config.pointer_to(*key));
  }
}

}  // namespace

std::optional<double> Config::number(const char* key) {
  std::optional<double> found;
  with(key, [&](const json::Value& value) {
    found = json::read_number(value);
    if (*found <= 0.0)
      throw json::wrong_type(value.file, value.pointer, "a number above 0",
                             "Give the config.json of the model as it is.");
  });
  return found;
}

ProblemFile read_model_config(std::string_view text, const std::string& name,
                              ModelTensors weights) {
  SourceMap places(name);
  try {
    const auto document = std::make_shared<json::Document>(json::parse(text, name));
    places = SourceMap(document);
    Config config{*document};
    if (!std::holds_alternative<json::Members>(document->root.value)) {
      throw json::wrong_type(*document, "", "an object, Hugging Face's config.json",
                             "Give the config.json of the model.");
    }
    refuse_unsupported(config);
    choose_text(config, weights);
    if (!config.pointer.empty()) refuse_unsupported(config);
    config.complaints.throw_all();
    const ModelType& type = type_of(config);
    refuse_keys_of_others(config, type);
    if (config.sees)
      std::erase_if(weights, [](const auto& each) { return each.first.starts_with("visual."); });
    ProblemDraft draft;
    draft.model =
        ModelDraft{.kind = type.kind, .activation = {}, .layer_norm_eps = {}, .rope_base = {}};
    read_parts(config, type, draft);
    drop_later_layers(config, weights);
    tie_logits(config, type, weights);
    check_more_tensors(config, type, weights, *draft.model);
    if (type.check) type.check(config, weights);
    config.complaints.throw_all();
    draft.model_weights = std::move(weights);
    place_settings(config, type, name, places);
    return {std::move(draft), places};
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

ProblemFile attention_of_model(const ProblemFile& model, const std::string& prefix) {
  return {attention_of_layer(model.draft, prefix), model.places};
}

}  // namespace attn
