// What a config.json may say that attn does not compute.
#include <algorithm>
#include <string_view>

#include "attn/number_text.hpp"
#include "io/models/config.hpp"

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

bool has_other_layers(const Node& node) {
  const auto* items = std::get_if<json::Items>(&node.value);
  return items && !std::all_of(items->begin(), items->end(),
                               [](const Node& item) { return is_text(item, "full_attention"); });
}

/// A key whose value describes a model that attn does not have.
struct Refused {
  const char* key;
  bool (*refuses)(const Node& value);
  const char* what;  ///< "a mixture of experts"
};

constexpr Refused kRefused[] = {
    {"num_local_experts", is_given, "a mixture of experts"},
    {"num_experts", is_given, "a mixture of experts"},
    {"n_routed_experts", is_given, "a mixture of experts"},
    {"quantization_config", is_given, "with quantised weights"},
    {"relative_attention_num_buckets", is_given, "a relative attention bias, as in T5"},
    {"is_encoder_decoder", is_true, "encoder-decoder models of Hugging Face"},
    {"add_cross_attention", is_true, "cross attention in a model that reads ids"},
    {"is_decoder", is_true, "BERT as a decoder"},
    {"layer_types", has_other_layers, "layers with different kinds of attention"},
    {"position_embedding_type",
     [](const Node& node) { return is_given(node) && !is_text(node, "absolute"); },
     "relative position embeddings"},
    {"scale_attn_by_inverse_layer_idx", is_true, "scores that are scaled by the layer's number"},
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
  const Node *window = config.find("sliding_window"), *used = config.find("use_sliding_window");
  if (window && !(used && is_false(*used))) {
    const auto* keys = std::get_if<double>(&window->value);
    const std::string before = keys && *keys >= 1.0 ? format_exact(*keys - 1.0) : "N";
    config.refuse(
        "sliding_window", "attn does not take sliding windows from a configuration",
        "Remove this key, and choose the window as a mask; its number does not count the query "
        "itself.",
        {{"mask", "window:" + before}});
  }
}

}  // namespace attn
