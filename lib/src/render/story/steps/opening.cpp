// Writes what a document opens with: title, sizes, settings, notes.
#include "render/story/steps/opening.hpp"

#include <algorithm>
#include <cmath>

#include "attn/language.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/setting_names.hpp"
#include "core/masks/mask_words.hpp"
#include "core/trace/other_settings.hpp"
#include "render/story/steps/step_grids.hpp"

namespace attn {
namespace {

std::vector<std::string> sizes_of(const Settings& s) {
  std::vector<std::string> facts;
  if (s.has_batch) facts.push_back(translated("batch of {n}", s.batch));
  if (s.has_heads) facts.push_back(translated_count(s.heads, "head"));
  if (s.kv_heads != s.heads) facts.push_back(translated_count(s.kv_heads, "key/value head"));
  const bool self = s.n_queries == s.n_keys;
  facts.push_back(translated_count(s.n_queries, self ? "token" : "query"));
  if (!self) facts.push_back(translated_count(s.n_keys, "key"));
  if (s.d_model) facts.push_back("d_model " + std::to_string(*s.d_model));
  if (s.d_k > 0) facts.push_back("d_k " + std::to_string(s.d_k));
  if (s.d_v > 0) facts.push_back("d_v " + std::to_string(s.d_v));
  return facts;
}

/// "2 + 2 layers", "4 tokens", "5 in memory"; heads and d_k are those of its first attention.
std::vector<std::string> sizes_of_model(const Trace& trace) {
  std::vector<std::pair<std::string, Index>> stacks;
  for (const auto& scope : trace.scopes) {
    const ModelPlace place = place_of(*scope);
    const bool attends = trace.first_of(StepRole::Weights, *scope) != nullptr;  // unlike a lens
    if (!place.layer || !attends) continue;
    if (stacks.empty() || stacks.back().first != place.stack) stacks.emplace_back(place.stack, 0);
    stacks.back().second = std::max(stacks.back().second, *place.layer + 1);
  }
  std::string layers;
  for (const auto& [name, count] : stacks)
    layers += (layers.empty() ? "" : " + ") + std::to_string(count);
  const Settings& own = trace.settings();
  const Settings& attention = trace.attention().settings;
  std::vector<std::string> facts;
  if (!layers.empty())
    facts.push_back(layers == "1" ? translated("1 layer") : translated("{n} layers", layers));
  if (attention.has_heads) facts.push_back(translated_count(attention.heads, "head"));
  if (attention.kv_heads != attention.heads)
    facts.push_back(translated_count(attention.kv_heads, "key/value head"));
  if (own.has_batch) facts.push_back(translated("batch of {n}", own.batch));
  facts.push_back(translated_count(own.n_queries, "token"));
  if (own.n_keys != own.n_queries) facts.push_back(translated("{n} in memory", own.n_keys));
  if (own.d_model) facts.push_back("d_model " + std::to_string(*own.d_model));
  if (!layers.empty()) facts.push_back("d_k " + std::to_string(attention.d_k));
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
  for (std::string& name : names) name = mask_in_words(name);
  return listed(names, names.size());
}

/// Attentions of a stack with the same masks.
struct MaskedLayers {
  std::string stack, module;  ///< stack: the name itself, outside of layers
  std::string masks;
  std::vector<Index> layers;
  bool same_place(const MaskedLayers& other) const {
    return stack == other.stack && module == other.module;
  }
};

std::vector<MaskedLayers> masked_layers(const Trace& trace) {
  std::vector<MaskedLayers> all;
  for (const auto& scope : trace.scopes) {
    if (trace.first_of(StepRole::Weights, *scope) == nullptr) continue;
    const ModelPlace place = place_of(*scope);
    MaskedLayers own{place.layer ? place.stack : scope->name, place.module, masks_of(*scope), {}};
    auto same = std::find_if(all.begin(), all.end(), [&](const MaskedLayers& each) {
      return each.same_place(own) && each.masks == own.masks;
    });
    if (same == all.end()) same = all.insert(all.end(), std::move(own));
    if (place.layer) same->layers.push_back(*place.layer);
  }
  return all;
}

/// "0-4,6"
std::string ranges_text(const std::vector<Index>& numbers) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    const std::string first = std::to_string(numbers[i]), last = std::to_string(numbers[end - 1]);
    texts.push_back(end - i == 1 ? first : first + "-" + last);
    i = end;
  }
  return separated(texts, ",");
}

/// "mask: causal"; in a model whose attentions differ, the masks of each kind: "mask of
/// decoder.layers.*.self_attn: causal", or with the numbers of layers where a stack has several.
std::vector<std::string> masks_text(const Trace& trace) {
  const std::vector<MaskedLayers> all = masked_layers(trace);
  const bool alike = std::all_of(all.begin(), all.end(), [&](const MaskedLayers& each) {
    return each.masks == all.front().masks;
  });
  std::vector<std::string> texts;
  for (const MaskedLayers& each : all) {
    if (each.masks.empty() || (trace.is_model() && each.masks == mask_in_words("none"))) continue;
    const auto of_place = std::count_if(
        all.begin(), all.end(), [&](const MaskedLayers& other) { return other.same_place(each); });
    const std::string layers = of_place == 1 ? "*" : ranges_text(each.layers);
    const std::string place =
        each.layers.empty() ? each.stack : each.stack + "." + layers + "." + each.module;
    texts.push_back(alike ? translated("mask: {names}", each.masks)
                          : translated("mask of {place}: {names}", place, each.masks));
    if (alike) break;
  }
  return texts;
}

/// What it is called by its scores; a norm or a feed-forward network alone has none.
const char* kind_of_attention(const Settings& settings) {
  if (settings.d_k == 0) return in_catalogue("A part of a layer");
  if (settings.score == ScoreKind::Additive) return in_catalogue("Additive attention");
  if (settings.score == ScoreKind::Distance) return in_catalogue("Attention by distance");
  return in_catalogue("Scaled dot-product attention");
}

}  // namespace

std::string title_text(const std::string& title) {
  const std::string whole = translated_title(title);
  const std::size_t colon = title.find(": ");
  const bool has_code = colon != title.npos && title.find('.') < colon &&
                        title.find(' ') > colon;  // "scale.missing: scores not scaled"
  if (whole != title || !has_code) return whole;
  return labelled(title.substr(0, colon), translated_sentence(title.substr(colon + 2)));
}

void add_opening(Document& document, const Trace& trace, const View& view) {
  const bool model = trace.is_model();
  const std::string title =
      !trace.title.empty()
          ? title_text(trace.title)
          : translated(model ? "A whole model" : kind_of_attention(trace.settings()));
  document.blocks.push_back(
      Title{title, {}, model ? sizes_of_model(trace) : sizes_of(trace.settings())});
  const std::vector<std::string> facts = settings_facts(trace, view.source);
  if (!facts.empty()) document.blocks.push_back(Paragraph{separated(facts, " · "), Role::Facts});
  if (!trace.description.empty())
    document.blocks.push_back(Paragraph{translated_title(trace.description)});
  for (const std::string& note : trace.notes)
    document.blocks.push_back(Paragraph{shortened(translated_sentence(note)), Role::Note});
}

std::vector<std::string> settings_facts(const Trace& trace, const std::string& source,
                                        const Scope* shown) {
  const Settings& s = (shown == nullptr ? trace.attention() : *shown).settings;
  std::vector<std::string> parts;
  if (!source.empty()) parts.push_back(source);
  if (shown == nullptr) {
    for (std::string& masks : masks_text(trace)) parts.push_back(std::move(masks));
  } else if (const std::string masks = masks_of(*shown); !masks.empty()) {
    parts.push_back(translated("mask: {names}", masks));
  }
  const bool default_scale =
      s.d_k == 0 || std::abs(s.scale.number * std::sqrt(static_cast<double>(s.d_k)) - 1.0) < 1e-12;
  if (!default_scale) {
    parts.push_back(s.scale.number == 1.0
                        ? translated("scale: none")
                        : translated("scale: {number}", format_exact(s.scale.number)));
  }
  for (const OtherSetting& row : other_settings()) {
    const std::optional<SettingValue> value = row.get(s);
    if (!value) continue;
    const auto* number = std::get_if<double>(&*value);
    parts.push_back(labelled(translated(row.key), number != nullptr
                                                      ? format_exact(*number)
                                                      : std::get<std::string>(*value)));
  }
  return parts;
}

std::string dtype_text(const Trace& trace) { return word_of(trace.settings().dtype); }

Paragraph rounding_footer(const Trace& trace, int precision) {
  const std::string rounding = precision == 0 ? translated("whole numbers (<1 means more than 0)")
                                              : translated_count(precision, "decimal");
  return {translated("Rounded to {decimals}, computed in {dtype}: shown digits may not add up.",
                     rounding, dtype_text(trace)),
          Role::Footer};
}

Document opened(const Trace& trace, const View& view) {
  check_choice(trace, view);
  Document document;
  document.precision = view.precision;
  add_opening(document, trace, view);
  return document;
}

}  // namespace attn
