// Hugging Face's config.json: which model it is, and whether attn can compute it.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "attn/error.hpp"
#include "attn/hugging_face.hpp"
#include "attn/phrases.hpp"
#include "core/problem/model_kinds.hpp"
#include "io/models/config.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

/// A size that the weights have, too.
struct SizeKey {
  const char* what;
  const char* key;
};

constexpr SizeKey kGpt2Sizes[] = {{"layers", "n_layer"},
                                  {"d_model", "n_embd"},
                                  {"vocabulary", "vocab_size"},
                                  {"positions", "n_positions"},
                                  {"feed-forward", "n_inner"}};
constexpr SizeKey kBertSizes[] = {
    {"layers", "num_hidden_layers"},       {"d_model", "hidden_size"},
    {"vocabulary", "vocab_size"},          {"positions", "max_position_embeddings"},
    {"feed-forward", "intermediate_size"}, {"token types", "type_vocab_size"}};
constexpr SizeKey kLlamaSizes[] = {{"layers", "num_hidden_layers"},
                                   {"d_model", "hidden_size"},
                                   {"vocabulary", "vocab_size"},
                                   {"feed-forward", "intermediate_size"},
                                   {"head size", "head_dim"}};

/// A value of "model_type", and the keys under which its config keeps what differs between models.
struct ModelType {
  const char* name;
  const char* kind;
  std::span<const SizeKey> sizes;
  const char* heads;
  const char* activation;
  const char* epsilon;
  bool tied;  ///< unless the config says otherwise, logits come from the embedding table
};

constexpr ModelType kTypes[] = {
    {"gpt2", "gpt2", kGpt2Sizes, "n_head", "activation_function", "layer_norm_epsilon", true},
    {"bert", "bert", kBertSizes, "num_attention_heads", "hidden_act", "layer_norm_eps", true},
    {"llama", "llama", kLlamaSizes, "num_attention_heads", "hidden_act", "rms_norm_eps", false},
    {"mistral", "llama", kLlamaSizes, "num_attention_heads", "hidden_act", "rms_norm_eps", false},
};

/// Hugging Face's names of activations, and ours.
constexpr std::pair<const char*, const char*> kActivations[] = {
    {"gelu_new", "gelu_tanh"},  {"gelu_pytorch_tanh", "gelu_tanh"},
    {"gelu_fast", "gelu_tanh"}, {"gelu", "gelu"},
    {"relu", "relu"},           {"silu", "silu"},
    {"swish", "silu"},
};

const ModelType& type_of(Config& config) {
  std::string name;
  config.with("model_type", [&](const json::Value& value) { name = json::read_text(value); });
  const auto* type = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const ModelType& each) { return each.name == name; });
  if (type != std::end(kTypes)) return *type;
  std::vector<std::string> names;
  for (const ModelType& each : kTypes) names.emplace_back(each.name);
  config.complaints.add("not-supported", name.empty() ? "" : "/model_type",
                        name.empty()
                            ? "this file has no \"model_type\"; Hugging Face's config.json has one"
                            : "attn has no models of the type \"" + name + "\"",
                        name.empty() ? "Give the config.json of the model."
                                     : "Choose a model of the type " + either(names) + ".");
  config.complaints.throw_all();
  return kTypes[0];
}

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

double positive(const json::Value& value) {
  const double number = json::read_number(value);
  if (number > 0.0) return number;
  throw json::wrong_type(value.file, value.pointer, "a number above 0",
                         "Give the config.json of the model as it is.");
}

/// Hugging Face writes "rope_scaling" or "rope_parameters", and the lengths and the share beside
/// it.
void read_config_scaling(Config& config, ProblemDraft& draft) {
  std::optional<double> part;
  config.with("partial_rotary_factor", [&](const json::Value& value) { part = positive(value); });
  for (const char* key : {"rope_scaling", "rope_parameters"})
    config.with(key, [&](const json::Value& value) { read_rope_scaling(value, draft); });
  std::optional<RopeScaling>& scaling = draft.positions.scaling;
  if (scaling)
    draft.model->rope_base = scaling->rope_theta ? scaling->rope_theta : draft.model->rope_base;
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
  const auto count = [&](const char* key, std::optional<Index>& into) {
    config.with(key, [&](const json::Value& value) { into = json::read_count(value, 1); });
  };
  const auto number = [&](const char* key, std::optional<double>& into) {
    config.with(key, [&](const json::Value& value) { into = positive(value); });
  };
  count(type.heads, draft.heads);
  count("num_key_value_heads", draft.kv_heads);
  config.with(type.activation, [&](const json::Value& v) { read_activation(v, model); });
  number(type.epsilon, model.layer_norm_eps);
  number("rope_theta", model.rope_base);
  read_config_scaling(config, draft);
  config.with("eos_token_id", [&](const json::Value& value) {
    model.end_ids = json::is_list(value.node) ? json::read_counts(value, 0)
                                              : std::vector<Index>{json::read_count(value, 0)};
  });
  for (const SizeKey& size : type.sizes) {
    std::optional<Index> stated;
    count(size.key, stated);
    if (stated) model.sizes.push_back({size.what, *stated, std::string("/") + size.key});
  }
  if (draft.heads || config.complaints.any()) return;
  config.complaints.add("missing-key", "",
                        "expected the key \"" + std::string(type.heads) + "\", the number of heads",
                        "Give the config.json of the model as it is.");
}

/// Tied logits use the embedding table, whatever else the file holds.
void tie_logits(Config& config, const ModelType& type, ModelTensors& weights) {
  std::optional<bool> tied;
  config.with("tie_word_embeddings",
              [&](const json::Value& value) { tied = json::read_flag(value); });
  constexpr const char* kLogits = "lm_head.weight";
  if (tied.value_or(type.tied)) weights.erase(kLogits);
  if (tied.value_or(true) || std::string_view(type.kind) == "bert") return;
  if (weights.contains(kLogits)) return;
  config.complaints.add(
      "missing-key", "/tie_word_embeddings",
      filled("the configuration says that logits have weights of their own, but there is no {}",
             kLogits),
      "Give the configuration that was saved with these weights.");
}

/// Biases are used wherever the weights have them; a configuration that denies them is another
/// model's.
void check_biases(Config& config, const ModelTensors& weights) {
  config.with("attention_bias", [&](const json::Value& value) {
    const bool stated = json::read_flag(value);
    const bool found = std::any_of(weights.begin(), weights.end(), [](const auto& each) {
      return each.first.ends_with(".q_proj.bias");
    });
    if (stated == found) return;
    config.complaints.add("shape-mismatch", value.pointer,
                          found ? "the configuration says that attention has no biases, but the "
                                  "weights have some"
                                : "the configuration says that attention has biases, but the "
                                  "weights have none",
                          "Give the configuration that was saved with these weights.");
  });
}

}  // namespace

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
    config.complaints.throw_all();
    const ModelType& type = type_of(config);
    ProblemDraft draft;
    draft.model =
        ModelDraft{.kind = type.kind, .activation = {}, .layer_norm_eps = {}, .rope_base = {}};
    read_parts(config, type, draft);
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

}  // namespace attn
