// Tables of idle weights, refused ones and sizes; compares stated sizes with those of weights.
#include "core/problem/model_checks.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "attn/phrases.hpp"
#include "core/problem/build_model.hpp"
#include "core/problem/model_kinds.hpp"

namespace attn {
namespace {

/// Ends of names. GPT-2 keeps its causal mask in attn.bias, Llama its frequencies in inv_freq; T5
/// has a table of its cross attention that it does not use.
constexpr std::string_view kIdle[] = {".attn.bias",
                                      ".attn.masked_bias",
                                      ".attention.bias",
                                      ".attention.masked_bias",
                                      ".mask",
                                      ".causal_mask",
                                      ".rotary_emb.inv_freq",
                                      ".rotary_emb.cos_cached",
                                      ".rotary_emb.sin_cached",
                                      ".position_ids",
                                      ".token_type_ids",
                                      "pooler.dense.weight",
                                      "pooler.dense.bias",
                                      "cls.seq_relationship.weight",
                                      "cls.seq_relationship.bias",
                                      "EncDecAttention.relative_attention_bias.weight"};

/// Part of a name, and what such weights are.
struct Refused {
  std::string_view part;
  const char* what;
};

constexpr Refused kRefused[] = {
    {".experts.", "a mixture of experts"},
    {"block_sparse_moe", "a mixture of experts"},
    {"relative_attention_bias", "a relative attention bias, as in T5"},
    {".qweight", "with quantised weights"},
    {".qzeros", "with quantised weights"},
    {".scales", "with quantised weights"},
    {".SCB", "with quantised weights"},
    {".absmax", "with quantised weights"},
    {".weight_scale", "with quantised weights"},
};

void refuse_foreign_weights(const ModelFacts& model, Complaints& complaints) {
  const char* before = "";
  for (const Refused& row : kRefused) {
    const bool experts = std::string_view(row.what) == kRefused[0].what;
    if (experts && model.kind->router != nullptr) continue;
    const auto at = std::find_if(model.weights.begin(), model.weights.end(), [&](const auto& each) {
      return each.first.find(row.part) != std::string::npos;
    });
    const bool known = std::string_view(model.kind->first_has).find(row.part) != row.part.npos;
    if (at == model.weights.end() || known || row.what == std::string_view(before)) continue;
    before = row.what;
    complaints.add("not-supported", "/weights",
                   filled("attn does not compute {}: the weights have {}", row.what, at->first),
                   "Choose another model.");
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 7 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The number of the layer in "encoder.layer.11.output.dense.weight".
std::optional<Index> layer_of(std::string_view name) {
  for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1)) {
    const std::string_view word = name.substr(dot + 1, name.find('.', dot + 1) - dot - 1);
    if (is_number(word)) return std::stoi(std::string(word));
  }
  return std::nullopt;
}

std::optional<Index> layers_of(const ModelFacts& model, std::string_view stack) {
  std::optional<Index> layers;
  for (const auto& [name, tensor] : model.weights) {
    const auto layer = name.starts_with(stack) ? layer_of(name) : std::nullopt;
    if (layer) layers = std::max(layers.value_or(0), *layer + 1);
  }
  return layers;
}
std::optional<Index> count_layers(const ModelFacts& model) { return layers_of(model, ""); }

/// The size of one axis of the first tensor whose name ends with `end`, and begins with `begin`;
/// the first layer's, where all layers have one.
std::optional<Index> axis_of(const ModelFacts& model, const std::string& end, std::size_t axis,
                             const std::string& begin = "") {
  for (const auto& [name, tensor] : model.weights) {
    const bool fits = name.starts_with(begin) && (name == end || name.ends_with("." + end));
    if (fits && axis < tensor.shape.size()) return tensor.shape[axis];
  }
  return std::nullopt;
}

/// What a configuration may state, and what the weights say about it.
struct Size {
  std::string_view what;
  std::optional<Index> (*found)(const ModelFacts& model);
};

std::optional<Index> of_table(const ModelFacts& model, const char* word, std::size_t axis) {
  for (const std::string& name : model.kind->names_of(word)) {
    if (const auto size = axis_of(model, name + ".weight", axis)) return size;
  }
  return std::nullopt;
}

constexpr Size kSizes[] = {
    {"layers", count_layers},
    {"encoder layers", [](const ModelFacts& m) { return layers_of(m, "encoder."); }},
    {"decoder layers", [](const ModelFacts& m) { return layers_of(m, "decoder."); }},
    {"d_model",
     [](const ModelFacts& m) {
       const auto wide = of_table(m, "token_table", 1);
       return wide ? wide : of_table(m, "norm1", 0);  // models that read rows have no table
     }},
    {"vocabulary", [](const ModelFacts& m) { return of_table(m, "token_table", 0); }},
    {"positions", [](const ModelFacts& m) { return of_table(m, "position_table", 0); }},
    {"token types", [](const ModelFacts& m) { return of_table(m, "type_table", 0); }},
    {"feed-forward",
     [](const ModelFacts& m) {
       std::optional<Index> size = of_table(m, "linear1", m.kind->weights_in_out ? 1 : 0);
       if (size && m.kind->is_half_gate()) *size /= 2;
       return size;
     }},
    {"experts", [](const ModelFacts& m) { return of_table(m, "router", 0); }},
    {"expert size",
     [](const ModelFacts& m) {
       const std::string down = m.kind->module("expert.0.linear2");  // of all experts, or of one
       const std::optional<Index> size = axis_of(m, down, 1);
       return size ? size : axis_of(m, down + ".weight", 1);
     }},
    {"shared expert size", [](const ModelFacts& m) { return of_table(m, "shared.linear2", 1); }},
    {"head size",
     [](const ModelFacts& m) {
       std::optional<Index> all = axis_of(m, "q_proj.weight", 0);
       if (!all) all = axis_of(m, "q.weight", 0);  // T5
       if (all) *all /= m.draft.heads.value_or(1);
       return all;
     }},
    {"latent columns of keys",
     [](const ModelFacts& m) { return axis_of(m, "kv_a_layernorm.weight", 0); }},
    {"latent columns of queries",
     [](const ModelFacts& m) { return axis_of(m, "q_a_proj.weight", 0); }},
    {"encoder feed-forward",
     [](const ModelFacts& m) {
       return axis_of(m, m.kind->module("linear1") + ".weight", 0, m.kind->encoder_stack);
     }},
};

void check_sizes(const ModelFacts& model, Complaints& complaints) {
  for (const StatedSize& stated : model.draft.model->sizes) {
    const Size* size = std::find_if(std::begin(kSizes), std::end(kSizes),
                                    [&](const Size& each) { return each.what == stated.what; });
    const auto found = size == std::end(kSizes) ? std::nullopt : size->found(model);
    if (!found || *found == stated.size) continue;
    complaints.add({.id = "shape-mismatch",
                    .what = filled("the configuration says {}: {}, but the weights have {}",
                                   stated.what, stated.size, *found),
                    .places = {{.pointer = stated.pointer}, {.pointer = "/weights"}},
                    .fix = kSavedTogether});
  }
}

/// Settings of layers must be those of all layers.
void check_layer_settings(const ModelFacts& model, Complaints& complaints) {
  const auto stated = std::ssize(model.draft.model->layers);
  const Index found = count_layers(model).value_or(1);
  if (stated == 0 || stated == found) return;
  complaints.add({.id = "shape-mismatch",
                  .what = filled("there are settings for {}, but the weights have {}",
                                 counted(stated, "layer"), found),
                  .places = {{.pointer = "/model/layers"}, {.pointer = "/weights"}},
                  .fix = "Give one object for each layer; {} for one like all others."});
}

/// Rows of numbers must be as wide as the model.
void check_widths(const ModelFacts& model, const ProblemFacts& facts, Complaints& complaints) {
  const std::optional<Index> width = model.kind->reads_ids() ? of_table(model, "token_table", 1)
                                                             : axis_of(model, "out_proj.weight", 0);
  if (!width) return;
  const bool source = model.kind->encodes();
  for (const auto& [name, rows] :
       {std::pair{"/embeddings", &facts.x},
        {source ? "/source/embeddings" : "/memory/embeddings", &facts.memory}}) {
    if (!*rows || (*rows)->cols() == *width) continue;
    complaints.add({.id = "shape-mismatch",
                    .what = filled("{} has {}, but d_model of the weights is {}", dotted(name),
                                   counted((*rows)->cols(), "column"), *width),
                    .places = {{.pointer = name}, {.pointer = "/weights"}},
                    .fix = filled("Give rows of {}.", counted(*width, "number"))});
  }
}

/// How many words the logits are about.
std::optional<Index> count_words(const ModelFacts& model) {
  const std::optional<Index> own = of_table(model, "logits", 0);
  return own ? own : of_table(model, "token_table", 0);
}

}  // namespace

bool is_idle_weight(const std::string& name) {
  return std::any_of(std::begin(kIdle), std::end(kIdle),
                     [&](std::string_view end) { return ("." + name).ends_with(end); });
}

void check_no_model(const ProblemDraft& draft, Complaints& complaints) {
  const std::pair<const char*, bool> keys[] = {{"ids", !draft.ids.empty()},
                                               {"source", draft.source.has_value()},
                                               {"source_mask", !draft.source_masks.empty()},
                                               {"memory_mask", !draft.memory_masks.empty()}};
  for (const auto& [key, given] : keys) {
    if (!given) continue;
    complaints.add(
        "missing-key", std::string("/") + key,
        filled("\"{}\" is for a whole model, but this problem is a single attention layer", key),
        filled("Add \"model\", or leave out \"{}\".", key));
  }
}

void check_model_weights(const ProblemFacts& facts, Complaints& complaints) {
  const ModelFacts& model = *facts.model;
  refuse_foreign_weights(model, complaints);
  if (!complaints.any()) check_sizes(model, complaints);
  if (!complaints.any()) check_layer_settings(model, complaints);
  if (!complaints.any()) check_widths(model, facts, complaints);
}

void fit_words(const ModelFacts& model, Prediction& prediction, Complaints& complaints) {
  std::vector<std::string>& words = prediction.words;
  if (words.empty() || prediction.to_words || !model.kind->reads_ids()) return;
  const Index count = count_words(model).value_or(std::ssize(words));
  if (std::ssize(words) > count) {
    complaints.add("token-count", "/vocabulary/tokens",
                   filled("{}, but the model has {}", there_are(std::ssize(words), "token"), count),
                   "Give the tokenizer that was saved with this model.");
  }
  while (std::ssize(words) < count) words.push_back(word_of_id(std::ssize(words), {}));
}

}  // namespace attn
