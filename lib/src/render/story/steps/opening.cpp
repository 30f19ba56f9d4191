// Writes what a document opens with: title, sizes, settings, notes.
#include "render/story/steps/opening.hpp"

#include <algorithm>
#include <cmath>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/trace/other_settings.hpp"

namespace attn {
namespace {

std::vector<std::string> sizes_of(const Settings& s) {
  std::vector<std::string> facts;
  if (s.has_batch) facts.push_back("batch of " + std::to_string(s.batch));
  if (s.has_heads) facts.push_back(counted(s.heads, "head"));
  if (s.kv_heads != s.heads) facts.push_back(counted(s.kv_heads, "key/value head"));
  const bool self = s.n_queries == s.n_keys;
  facts.push_back(counted(s.n_queries, self ? "token" : "query"));
  if (!self) facts.push_back(counted(s.n_keys, "key"));
  if (s.d_model) facts.push_back("d_model " + std::to_string(*s.d_model));
  facts.push_back("d_k " + std::to_string(s.d_k));
  facts.push_back("d_v " + std::to_string(s.d_v));
  return facts;
}

/// "2 + 2 layers", "4 tokens", "5 in memory"; heads and d_k are those of its first attention.
std::vector<std::string> sizes_of_model(const Trace& trace) {
  std::vector<std::pair<std::string, Index>> stacks;
  for (const auto& scope : trace.scopes) {
    const ModelPlace place = place_of(*scope);
    if (!place.layer) continue;
    if (stacks.empty() || stacks.back().first != place.stack) stacks.emplace_back(place.stack, 0);
    stacks.back().second = std::max(stacks.back().second, *place.layer + 1);
  }
  std::string layers;
  for (const auto& [name, count] : stacks)
    layers += (layers.empty() ? "" : " + ") + std::to_string(count);
  const Settings& own = trace.settings();
  const Settings& attention = trace.attention().settings;
  std::vector<std::string> facts{layers + (layers == "1" ? " layer" : " layers")};
  if (attention.has_heads) facts.push_back(counted(attention.heads, "head"));
  if (attention.kv_heads != attention.heads)
    facts.push_back(counted(attention.kv_heads, "key/value head"));
  if (own.has_batch) facts.push_back("batch of " + std::to_string(own.batch));
  facts.push_back(counted(own.n_queries, "token"));
  if (own.n_keys != own.n_queries) facts.push_back(std::to_string(own.n_keys) + " in memory");
  if (own.d_model) facts.push_back("d_model " + std::to_string(*own.d_model));
  facts.push_back("d_k " + std::to_string(attention.d_k));
  return facts;
}

/// Everything that hides keys or queries: the masks as written, `allowed`, `key_lengths`.
std::string masks_of(const Scope& scope) {
  std::vector<std::string> names = scope.settings.masks;
  if (scope.visibility) {
    for (const std::string& name : scope.visibility->names) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return listed(names, names.size());
}

/// "decoder.layers.*.self_attn": the attentions of a stack have the same masks.
std::string place_text(const Scope& scope) {
  const ModelPlace place = place_of(scope);
  return place.layer ? place.stack + ".*." + place.module : scope.name;
}

/// "mask: causal"; in a model whose attentions differ, the masks of each kind.
std::vector<std::string> masks_text(const Trace& trace) {
  std::vector<std::pair<std::string, std::string>> kinds;  // place and masks
  for (const auto& scope : trace.scopes) {
    const bool attends = trace.first_of(StepRole::Weights, *scope) != nullptr;
    const std::pair kind{place_text(*scope), masks_of(*scope)};
    if (attends && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(kind);
  }
  const bool alike = std::all_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
    return kind.second == kinds.front().second;
  });
  std::vector<std::string> texts;
  for (const auto& [place, masks] : kinds) {
    if (masks.empty() || (trace.is_model() && masks == "none")) continue;
    texts.push_back(alike ? "mask: " + masks : "mask of " + place + ": " + masks);
    if (alike) break;
  }
  return texts;
}

}  // namespace

void add_opening(Document& document, const Trace& trace, const View& view) {
  const bool model = trace.is_model();
  const std::string title = !trace.title.empty() ? trace.title
                            : model              ? "A whole model"
                                                 : "Scaled dot-product attention";
  document.blocks.push_back(
      Title{title, {}, model ? sizes_of_model(trace) : sizes_of(trace.settings())});
  const std::vector<std::string> facts = settings_facts(trace, view.source);
  if (!facts.empty()) document.blocks.push_back(Paragraph{separated(facts, " · "), Role::Facts});
  if (!trace.description.empty()) document.blocks.push_back(Paragraph{trace.description});
  for (const std::string& note : trace.notes)
    document.blocks.push_back(Paragraph{shortened(note), Role::Note});
}

std::vector<std::string> settings_facts(const Trace& trace, const std::string& source,
                                        const Scope* shown) {
  const Settings& s = (shown == nullptr ? trace.attention() : *shown).settings;
  std::vector<std::string> parts;
  if (!source.empty()) parts.push_back(source);
  if (shown == nullptr) {
    for (std::string& masks : masks_text(trace)) parts.push_back(std::move(masks));
  } else if (const std::string masks = masks_of(*shown); !masks.empty()) {
    parts.push_back("mask: " + masks);
  }
  const bool default_scale =
      std::abs(s.scale.number * std::sqrt(static_cast<double>(s.d_k)) - 1.0) < 1e-12;
  if (!default_scale) {
    parts.push_back(s.scale.number == 1.0 ? "scale: none"
                                          : "scale: " + format_exact(s.scale.number));
  }
  for (const OtherSetting& row : other_settings()) {
    const std::optional<SettingValue> value = row.get(s);
    if (!value) continue;
    const auto* number = std::get_if<double>(&*value);
    parts.push_back(std::string(row.key) + ": " +
                    (number != nullptr ? format_exact(*number) : std::get<std::string>(*value)));
  }
  return parts;
}

std::string dtype_text(const Trace& trace) { return word_of(trace.settings().dtype); }

}  // namespace attn
