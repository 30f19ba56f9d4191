// What a config.json says about single layers: windows, positions, their base and scaling.
#include <algorithm>
#include <map>
#include <string>

#include "attn/phrases.hpp"
#include "core/problem/model_checks.hpp"
#include "io/models/model_types.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

constexpr const char* kFull = "full_attention";
constexpr const char* kSliding = "sliding_attention";

/// Whether each layer has a window: as "layer_types" says, or as usual in its family; `wide`:
/// whether it is known how wide they are.
std::vector<bool> windows_of(Config& config, const ModelType& type, Index layers, bool wide) {
  std::vector<bool> each;
  config.with("layer_types", [&](const json::Value& value) {
    for (const std::string& word : json::read_texts(value)) {
      if (word != kFull && word != kSliding)
        config.refuse("layer_types", filled("attn does not compute layers of the type {}", word));
      each.push_back(word == kSliding);
    }
  });
  if (!each.empty() && layers > 0 && std::ssize(each) != layers)
    config.refuse("layer_types",
                  filled("layer_types is about {}, but there are {}",
                         counted(std::ssize(each), "layer"), layers),
                  kSavedTogether);
  if (!each.empty()) return each;
  const WindowKeys keys{config.flag("use_sliding_window"), config.count("max_window_layers", 0),
                        config.count("sliding_window_pattern").value_or(type.pattern)};
  for (Index i = 0; i < layers; ++i)
    each.push_back(wide && type.has_window != nullptr && type.has_window(keys, i));
  return each;
}

/// The size of windows; none where the config says null. With as many keys after the query as
/// before it, the config has the number of both.
std::optional<Index> window_size(Config& config, const ModelType& type) {
  const bool said = json::find(*config.root, "sliding_window") != nullptr;
  std::optional<Index> size = config.count("sliding_window");
  if (!said && type.window > 0) size = type.window;
  const bool both_sides = config.flag("use_bidirectional_attention") == true;
  return size && both_sides ? *size / 2 + 1 : size;
}

/// The objects of "rope_parameters" for each type of layer; empty if there are none.
std::map<std::string, RopeScaling> rope_of_types(Config& config) {
  std::map<std::string, RopeScaling> each;
  const json::Node* node = config.find("rope_parameters");
  const auto* members = node ? std::get_if<json::Members>(&node->value) : nullptr;
  if (!members || members->size() < 2 || !json::find(*node, kFull)) return each;
  for (const json::Member& member : *members) {
    ProblemDraft draft;
    read_rope_scaling({config.file, member.value,
                       json::child_pointer(config.pointer_to("rope_parameters"), member.key)},
                      draft);
    each[member.key] = *draft.positions.scaling;
  }
  return each;
}

}  // namespace

bool has_rope_of_types(Config& config) { return rope_of_types(config).size() > 1; }

void read_layers(Config& config, const ModelType& type, ProblemDraft& draft) {
  ModelDraft& model = *draft.model;
  const auto stated = std::find_if(model.sizes.begin(), model.sizes.end(),
                                   [](const StatedSize& each) { return each.what == "layers"; });
  const std::optional<Index> window = window_size(config, type);
  const std::vector<bool> windows =
      windows_of(config, type, stated == model.sizes.end() ? 0 : stated->size, window.has_value());
  const auto ropes = rope_of_types(config);
  if (std::find(windows.begin(), windows.end(), true) == windows.end() && ropes.empty()) {
    const bool known = type.has_window != nullptr || config.find("layer_types") != nullptr;
    if (window && !known && config.flag("use_sliding_window") != false)
      config.refuse("sliding_window", "attn does not know which layers have sliding windows");
    return;
  }
  if (!window && ropes.empty()) {
    config.refuse("layer_types",
                  "there are layers with windows, but sliding_window does not say how "
                  "wide they are");
    return;
  }
  model.layers.resize(std::max(model.layers.size(), windows.size()));
  std::optional<double> local = config.number("rope_local_base_freq");
  if (!local) local = type.local_base > 0.0 ? std::optional(type.local_base) : model.rope_base;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    LayerSettings& layer = model.layers[i];
    if (windows[i]) layer.window = window;
    if (const auto own = ropes.find(windows[i] ? kSliding : kFull); own != ropes.end()) {
      layer.rope_base = own->second.rope_theta;
      layer.scaling = own->second;
    } else if (windows[i] && type.plain_windows) {
      layer.rope_base = local;
      layer.scaling = RopeScaling();
    }
  }
}

}  // namespace attn
