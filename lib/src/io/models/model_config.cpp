// Hugging Face's config.json: which model it is, and whether attn can compute it.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "attn/error.hpp"
#include "attn/tool/hugging_face.hpp"
#include "attn/tool/phrases.hpp"
#include "core/text/complaints.hpp"
#include "io/json/json.hpp"
#include "io/json/value.hpp"

namespace attn {
namespace {

using json::Node;

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

/// A value of "model_type", and under which keys its config keeps what differs between models.
struct ModelType {
  const char* name;
  const char* kind;
  std::span<const SizeKey> sizes;
  const char* heads;
  const char* activation;
  const char* epsilon;
  bool tied;  ///< unless the config says otherwise, logits come from the table of embeddings
};

constexpr ModelType kTypes[] = {
    {"gpt2", "gpt2", kGpt2Sizes, "n_head", "activation_function", "layer_norm_epsilon", true},
    {"bert", "bert", kBertSizes, "num_attention_heads", "hidden_act", "layer_norm_eps", true},
    {"llama", "llama", kLlamaSizes, "num_attention_heads", "hidden_act", "rms_norm_eps", false},
    {"mistral", "llama", kLlamaSizes, "num_attention_heads", "hidden_act", "rms_norm_eps", false},
};

/// Their names of activations, and ours.
constexpr std::pair<const char*, const char*> kActivations[] = {
    {"gelu_new", "gelu_tanh"},  {"gelu_pytorch_tanh", "gelu_tanh"},
    {"gelu_fast", "gelu_tanh"}, {"gelu", "gelu"},
    {"relu", "relu"},           {"silu", "silu"},
    {"swish", "silu"},
};

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

/// Whether positions are stretched: a kind of RoPE other than the usual one.
bool stretches(const Node& node) {
  if (is_null(node)) return false;
  for (const char* key : {"rope_type", "type"}) {
    const Node* kind = json::find(node, key);
    if (kind) return !is_text(*kind, "default");
  }
  return json::find(node, "factor") != nullptr;
}

bool has_other_layers(const Node& node) {
  const auto* items = std::get_if<json::Items>(&node.value);
  return items && !std::all_of(items->begin(), items->end(),
                               [](const Node& item) { return is_text(item, "full_attention"); });
}

bool is_partial(const Node& node) {
  const auto* part = std::get_if<double>(&node.value);
  return part && *part != 1.0;
}

/// A key whose value makes a model that attn does not have.
struct Refused {
  const char* key;
  bool (*refuses)(const Node& value);
  const char* what;  ///< "mixture of experts"
};

constexpr Refused kRefused[] = {
    {"num_local_experts", is_given, "a mixture of experts"},
    {"num_experts", is_given, "a mixture of experts"},
    {"n_routed_experts", is_given, "a mixture of experts"},
    {"quantization_config", is_given, "quantised weights"},
    {"relative_attention_num_buckets", is_given, "a relative attention bias, as in T5"},
    {"is_encoder_decoder", is_true, "encoder-decoder models of Hugging Face"},
    {"add_cross_attention", is_true, "cross attention in a model that reads ids"},
    {"is_decoder", is_true, "BERT as a decoder"},
    {"layer_types", has_other_layers, "layers with different kinds of attention"},
    {"rope_scaling", stretches, "scaled rotary positions"},
    {"rope_parameters", stretches, "scaled rotary positions"},
    {"partial_rotary_factor", is_partial, "rotary positions in a part of the columns"},
    {"position_embedding_type",
     [](const Node& node) { return is_given(node) && !is_text(node, "absolute"); },
     "relative position embeddings"},
    {"scale_attn_weights", is_false, "scores without a scale"},
    {"scale_attn_by_inverse_layer_idx", is_true, "scores that are scaled by the layer's number"},
};

/// The config, and what is wrong with it.
struct Config {
  const json::Document& file;
  Complaints complaints = {};

  const Node* find(const char* key) const {
    const Node* node = json::find(file.root, key);
    return node && !is_null(*node) ? node : nullptr;
  }
  /// Calls `read` with the value of that key, if there is one.
  template <typename Read>
  void with(const char* key, Read read) {
    const Node* node = find(key);
    if (!node) return;
    try {
      read(json::Value{file, *node, std::string("/") + key});
    } catch (const Error& error) {
      complaints.add(error);
    }
  }
  void refuse(const char* key, const std::string& what) {
    complaints.add("not-supported", std::string("/") + key, "attn does not compute " + what,
                   "Choose a model without it.");
  }
};

void refuse_unsupported(Config& config) {
  for (const Refused& row : kRefused) {
    const Node* node = config.find(row.key);
    if (node && row.refuses(*node)) config.refuse(row.key, row.what);
  }
  const Node* used = config.find("use_sliding_window");
  if (config.find("sliding_window") && !(used && is_false(*used))) {
    config.refuse("sliding_window", "sliding windows of keys");
  }
}

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
                     .fix = "Choose a model with relu, gelu, gelu_new or silu."});
}

void read_parts(Config& config, const ModelType& type, ProblemDraft& draft) {
  ModelDraft& model = *draft.model;
  const auto count = [&](const char* key, std::optional<Index>& into) {
    config.with(key, [&](const json::Value& value) { into = json::read_count(value, 1); });
  };
  const auto number = [&](const char* key, std::optional<double>& into) {
    config.with(key, [&](const json::Value& value) { into = json::read_number(value); });
  };
  count(type.heads, draft.heads);
  count("num_key_value_heads", draft.kv_heads);
  config.with(type.activation, [&](const json::Value& v) { read_activation(v, model); });
  number(type.epsilon, model.layer_norm_eps);
  number("rope_theta", model.rope_base);
  config.with("rope_parameters", [&](const json::Value& value) {
    const Node* base = json::find(value.node, "rope_theta");
    if (base) model.rope_base = json::read_number({value.file, *base, value.pointer});
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

/// Tied logits use the table of embeddings, whatever else the file holds.
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
