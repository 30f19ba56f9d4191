// Hugging Face's config.json: which model it is, and whether attn can compute it.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "core/problem/build_model.hpp"
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

/// Hugging Face writes "rope_scaling" or "rope_parameters", and the lengths and the share beside
/// it.
void read_config_scaling(Config& config, const ModelType& type, ProblemDraft& draft) {
  std::optional<double> part = config.number("partial_rotary_factor");
  if (!part) part = std::exchange(draft.positions.partial_rotary_factor, std::nullopt);
  for (const char* key : {"rope_scaling", "rope_parameters"}) {
    if (has_rope_of_types(config)) continue;
    config.with(key, [&](const json::Value& value) { read_rope_scaling(value, draft); });
  }
  std::optional<RopeScaling>& scaling = draft.positions.scaling;
  if (scaling)
    draft.model->rope_base = scaling->rope_theta ? scaling->rope_theta : draft.model->rope_base;
  const bool said = part || (scaling && scaling->partial_rotary_factor);
  if (!said && type.rotary_part > 0.0) part = type.rotary_part;
  if (part != 1.0) draft.positions.partial_rotary_factor = part;
  if (scaling && scaling->kind == RopeScalingKind::Default &&
      scaling->partial_rotary_factor.value_or(1.0) == 1.0)
    scaling.reset();
  if (scaling || draft.positions.partial_rotary_factor) draft.positions.kind = PositionKind::Rope;
  if (!scaling) return;
  for (const auto& [key, length] :
       {std::pair{"max_position_embeddings", &scaling->max_position_embeddings},
        {"original_max_position_embeddings", &scaling->original_max_position_embeddings}})
    config.with(key, [own = length](const json::Value& value) {
      if (!*own) *own = json::read_count(value, 1);
    });
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
  if (type.read) type.read(config, draft);
  read_config_scaling(config, type, draft);
  config.with("eos_token_id", [&](const json::Value& value) {
    model.end_ids = json::is_list(value.node) ? json::read_counts(value, 0)
                                              : std::vector<Index>{json::read_count(value, 0)};
  });
  for (const SizeKey& size : type.sizes) {
    if (const std::optional<Index> stated = config.count(size.key))
      model.sizes.push_back({size.what, *stated, config.pointer_to(size.key)});
  }
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
      "Give the configuration that was saved with these weights.");
}

/// A key that says whether there are biases, and the ends of their names.
struct BiasKey {
  const char* key;
  const char* what;
  std::vector<std::string_view> ends;
};
const BiasKey kBiasKeys[] = {
    {"attention_bias",
     "attention",
     {".q_proj.bias", ".query_key_value.bias", ".qkv_proj.bias", ".Wqkv.bias"}},
    {"mlp_bias", "the feed-forward part", {".down_proj.bias", ".fc2.bias", ".mlp.Wo.bias"}},
};

/// Biases are used wherever the weights have them; a configuration that denies them is another
/// model's.
void check_biases(Config& config, const ModelTensors& weights) {
  for (const BiasKey& row : kBiasKeys) {
    const std::optional<bool> stated = config.flag(row.key);
    const bool found = std::any_of(weights.begin(), weights.end(), [&](const auto& each) {
      return std::any_of(std::begin(row.ends), std::end(row.ends),
                         [&](std::string_view end) { return each.first.ends_with(end); });
    });
    if (!stated || *stated == found) continue;
    config.complaints.add(
        "shape-mismatch", config.pointer_to(row.key),
        filled(found ? "the configuration says that {} has no biases, but the weights have some"
                     : "the configuration says that {} has biases, but the weights have none",
               row.what),
        "Give the configuration that was saved with these weights.");
  }
}

/// DeepSeek-V3 is published with a layer more, which helped in training: it is not of the model.
void drop_later_layers(Config& config, ModelTensors& weights) {
  const std::optional<Index> layers = config.count("num_hidden_layers");
  if (!layers || !config.find("num_nextn_predict_layers")) return;
  for (Index more = *config.count("num_nextn_predict_layers", 0); more > 0; --more) {
    const std::string prefix = filled("model.layers.{}.", *layers + more - 1);
    std::erase_if(weights, [&](const auto& each) { return each.first.starts_with(prefix); });
  }
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
    ProblemDraft draft;
    draft.model =
        ModelDraft{.kind = type.kind, .activation = {}, .layer_norm_eps = {}, .rope_base = {}};
    read_parts(config, type, draft);
    drop_later_layers(config, weights);
    tie_logits(config, type, weights);
    check_biases(config, weights);
    config.complaints.throw_all();
    draft.model_weights = std::move(weights);
    places.override_with("/heads", name + " (" + type.heads + ")");
    places.override_with("/kv_heads", name + " (num_key_value_heads)");
    return {std::move(draft), places};
  } catch (const Error& error) {
    throw places.locate(error);
  }
}

ProblemFile attention_of_model(const ProblemFile& model, const std::string& prefix) {
  return {attention_of_layer(model.draft, prefix), model.places};
}

}  // namespace attn
