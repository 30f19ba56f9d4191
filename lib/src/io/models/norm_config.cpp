// Which norm of queries and keys a layer of a checkpoint has: its config.json says it by its type.
#include <algorithm>
#include <memory>

#include "attn/hugging_face.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "io/json/read_object.hpp"
#include "io/models/config.hpp"

namespace attn {
namespace {

/// The norm of the models of one type, as their code in Hugging Face's transformers computes it.
struct TypeNorm {
  const char* type;
  QkNormKind kind;
  double offset;
  QkNormAfter after = QkNormAfter::Projection;
  const char* if_true = "";  ///< the key that turns it on; empty: all models have it
};

constexpr TypeNorm kTypeNorms[] = {
    {"qwen3", QkNormKind::Rms, 0},
    {"qwen3_vl_text", QkNormKind::Rms, 0},
    {"qwen3_moe", QkNormKind::Rms, 0},
    {"qwen3_next", QkNormKind::Rms, 1},
    {"gemma3", QkNormKind::Rms, 1},
    {"gemma3_text", QkNormKind::Rms, 1},
    {"olmo2", QkNormKind::Rms, 0},
    {"olmo3", QkNormKind::Rms, 0},
    {"olmoe", QkNormKind::Rms, 0},
    {"glm4_moe", QkNormKind::Rms, 0},
    {"cohere", QkNormKind::Layer, 0},
    {"persimmon", QkNormKind::Layer, 0},
    {"phi", QkNormKind::Layer, 0, QkNormAfter::Projection, "qk_layernorm"},
    {"hunyuan_v1_dense", QkNormKind::Rms, 0, QkNormAfter::Rope},
};

const char* const kEpsilonKeys[] = {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon"};

/// The part about text of a model that reads pictures, too.
const json::Node& text_part(const json::Document& document) {
  const json::Node* part = json::find(document.root, "text_config");
  return part != nullptr && std::holds_alternative<json::Members>(part->value) ? *part
                                                                               : document.root;
}

const std::string* text_of(const json::Node& config, const char* key) {
  const json::Node* node = json::find(config, key);
  return node == nullptr ? nullptr : std::get_if<std::string>(&node->value);
}

}  // namespace

std::optional<QkNorm> norm_of_type(const json::Node& config) {
  const std::string* type = text_of(config, "model_type");
  const auto* row = std::find_if(std::begin(kTypeNorms), std::end(kTypeNorms),
                                 [&](const TypeNorm& each) { return type && *type == each.type; });
  if (row == std::end(kTypeNorms)) return {};
  const json::Node* on = json::find(config, row->if_true);
  const bool* is_on = on == nullptr ? nullptr : std::get_if<bool>(&on->value);
  if (*row->if_true != '\0' && !(is_on && *is_on)) return {};
  QkNorm norm{.kind = row->kind, .is_given = true, .offset = row->offset, .after = row->after};
  for (const char* key : kEpsilonKeys) {
    const json::Node* eps = json::find(config, key);
    const auto* number = eps == nullptr ? nullptr : std::get_if<double>(&eps->value);
    if (number != nullptr && !norm.eps) norm.eps = *number;
  }
  return norm;
}

void read_norm_config(std::string_view text, const std::string& name, ProblemDraft& draft) {
  const json::Document document = json::parse(text, name);
  const json::Node& config = text_part(document);
  const std::optional<QkNorm> found = norm_of_type(config);
  if (!found) return;
  const QkNorm& norm = draft.qk_norm = *found;
  draft.notes.push_back(filled("{} says {}: the norm of queries and keys is {} with offset {}{}",
                               name, *text_of(config, "model_type"), word_of(norm.kind),
                               format_exact(*norm.offset),
                               norm.eps ? " and eps " + format_exact(*norm.eps) : ""));
}

}  // namespace attn
