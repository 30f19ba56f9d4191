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
};

constexpr TypeNorm kTypeNorms[] = {
    {"qwen3", QkNormKind::Rms, 0},
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
    {"phi", QkNormKind::Layer, 0},
    {"hunyuan_v1_dense", QkNormKind::Rms, 0, QkNormAfter::Rope},
};

const char* const kEpsilonKeys[] = {"rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon"};

/// The part about text of a model that reads pictures, too.
const json::Node& text_part(const json::Document& document) {
  const json::Node* part = json::find(document.root, "text_config");
  return part != nullptr && std::holds_alternative<json::Members>(part->value) ? *part
                                                                               : document.root;
}

}  // namespace

void read_norm_config(std::string_view text, const std::string& name, ProblemDraft& draft) {
  const json::Document document = json::parse(text, name);
  const json::Node& config = text_part(document);
  const auto* type = json::find(config, "model_type");
  if (type == nullptr) return;
  const auto* word = std::get_if<std::string>(&type->value);
  const auto* row = std::find_if(std::begin(kTypeNorms), std::end(kTypeNorms),
                                 [&](const TypeNorm& each) { return word && *word == each.type; });
  if (row == std::end(kTypeNorms)) return;
  QkNorm& norm = draft.qk_norm;
  norm = {.kind = row->kind, .is_given = true, .offset = row->offset, .after = row->after};
  for (const char* key : kEpsilonKeys) {
    const json::Node* eps = json::find(config, key);
    const auto* number = eps == nullptr ? nullptr : std::get_if<double>(&eps->value);
    if (number != nullptr && !norm.eps) norm.eps = *number;
  }
  draft.notes.push_back(filled("{} says {}: the norm of queries and keys is {} with offset {}{}",
                               name, row->type, word_of(row->kind), format_exact(row->offset),
                               norm.eps ? " and eps " + format_exact(*norm.eps) : ""));
}

}  // namespace attn
