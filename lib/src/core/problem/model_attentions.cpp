// The attentions of a whole model: what those that are alike share, and what their weights add.
#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "attn/phrases.hpp"
#include "core/problem/build.hpp"
#include "core/problem/build_model.hpp"

namespace attn {
namespace {

/// A problem without inputs and weights: what acts on the scores of one kind of attention.
ProblemDraft draft_of(Attends attends, const ProblemDraft& whole, const ModelKind& kind) {
  const bool of_target = attends == Attends::Target;
  ProblemDraft d;
  static_cast<AttentionSettings&>(d) = whole;
  if (!of_target && d.align == Align::KeyLengths) d.align = Align::Start;
  if (attends == Attends::Memory || is_added(d.positions.kind)) d.positions = {};
  if (d.positions.kind == PositionKind::None && attends != Attends::Memory)
    d.positions.kind = kind.positions;
  if (d.positions.kind == PositionKind::T5 && !d.positions.bidirectional)
    d.positions.bidirectional = attends == Attends::Source;
  if (!kind.scaled && d.scale.kind == ScaleRule::Kind::Usual) d.scale.kind = ScaleRule::Kind::None;
  if (!of_target) d.positions.ids.clear();
  const bool has_base =
      d.positions.base || (d.positions.scaling && d.positions.scaling->rope_theta);
  if (is_rotary(kind.positions) && is_rotary(d.positions.kind) && !has_base)
    d.positions.base = whole.model->rope_base;
  d.heads = whole.heads;
  d.kv_heads = whole.kv_heads;
  d.latent = whole.latent;
  d.sinks = whole.sinks;
  d.max_memory = whole.max_memory;
  d.masks = of_target                    ? whole.masks
            : attends == Attends::Memory ? whole.memory_masks
                                         : whole.source_masks;
  if (!of_target) return d;
  if (d.masks.empty() && kind.causal) d.masks = {parse_mask("causal")};
  d.ids = whole.ids;
  d.key_lengths = whole.key_lengths;
  d.allowed = whole.allowed;
  d.says_hidden = whole.says_hidden;
  d.bias = whole.bias;
  return d;
}

/// What one layer does otherwise. A window of 512 sees the query itself and 511 keys before it; in
/// a model that looks ahead, as many after it. One that reaches all keys is no mask.
void apply_layer(const LayerSettings& own, Index n_keys, ProblemDraft& d) {
  if (own.window && *own.window < n_keys) {
    const bool causal = std::any_of(d.masks.begin(), d.masks.end(), [](const MaskSpec& mask) {
      return mask.kind->name == std::string_view("causal");
    });
    const Index reach = *own.window - 1;
    d.masks.push_back(
        parse_mask(causal ? filled("window:{}", reach) : filled("window:{},{}", reach, reach)));
  }
  if (own.scale) d.scale = *own.scale;
  if (own.softcap) d.softcap = own.softcap;
  if (own.positions) {
    const bool alike = *own.positions == d.positions.kind ||
                       (is_rotary(*own.positions) && is_rotary(d.positions.kind));
    if (!alike) d.positions = Positions();  // which are settings of other positions
    d.positions.kind = *own.positions;
  }
  if (own.scaling) d.positions.scaling = own.scaling;
  if (own.rope_base) d.positions.base = own.rope_base;
}

/// Where the settings of a layer are that are its own.
std::vector<std::pair<std::string, std::string>> places_of(const LayerSettings& own,
                                                           std::size_t layer) {
  const std::string place = filled("/model/layers/{}", layer);
  std::vector<std::pair<std::string, std::string>> places;
  for (const auto& [given, from, key] :
       {std::tuple{own.scale.has_value(), "/scale", "/scale"},
        {own.softcap.has_value(), "/softcap", "/softcap"},
        {own.rope_base.has_value(), "/positions/base", "/rope_base"},
        {own.scaling.has_value(), "/positions/scaling", "/scaling"},
        {own.positions.has_value(), "/positions", "/positions"}})
    if (given) places.emplace_back(from, place + key);
  return places;
}

/// The error of an attention at the places of its layer's settings, not at those of all.
Error at_layer(const Error& error, const ModelAttention& attention) {
  Error placed = error;
  for (const auto& [from, to] : attention.places) placed = with_pointers(placed, from, to);
  return placed;
}

const char* mask_pointer(Attends attends) {
  return attends == Attends::Target   ? "/mask"
         : attends == Attends::Memory ? "/memory_mask"
                                      : "/source_mask";
}

}  // namespace

namespace {

Index past_of(const ProblemDraft& whole) {
  return whole.cache ? std::ssize(whole.cache->tokens) : 0;
}

/// `alike` has the same masks and bias, or is null.
ModelAttention built(Attends attends, ProblemDraft draft, const ProblemDraft& whole,
                     ProblemFacts& model, const ModelAttention* alike) {
  if (alike != nullptr) {
    draft.masks = alike->draft.masks;
    return {std::move(draft), alike->facts};
  }
  ModelAttention made{std::move(draft), {}};
  ProblemFacts& p = made.facts;
  static_cast<AttentionSettings&>(p) = made.draft;
  p.max_memory = model.max_memory;
  p.bytes = model.bytes;
  p.batch = model.batch;
  p.heads = whole.heads;
  p.query_tokens = attends == Attends::Source ? model.key_tokens : model.query_tokens;
  p.key_tokens = attends == Attends::Memory ? model.key_tokens : p.query_tokens;
  if (attends == Attends::Target && whole.cache) {
    const std::vector<std::string>& past = whole.cache->tokens;
    p.n_past = past_of(whole);
    for (auto& list : p.key_tokens) list.insert(list.begin(), past.begin(), past.end());
  }
  p.n_queries = std::ssize(p.query_tokens.front());
  p.n_keys = std::ssize(p.key_tokens.front());
  const auto rows = [](const std::optional<Tensor>& x) { return x ? &*x : nullptr; };
  const Tensor* target = rows(model.x);
  const Tensor* memory = rows(model.memory);
  Build build{made.draft, p};
  try {
    build_offsets(build);
    build_scores(build, attends == Attends::Source ? memory : target,
                 attends == Attends::Target ? target : memory);
  } catch (const Error& error) {
    throw with_pointers(error, "/mask", mask_pointer(attends));
  }
  model.bytes = p.bytes;
  model.empty_queries.insert(model.empty_queries.end(), p.empty_queries.begin(),
                             p.empty_queries.end());
  return made;
}

void drop_arrays(ProblemDraft& draft) {
  draft.allowed.reset();
  draft.bias.reset();
}

bool same_masks(const ProblemDraft& a, const ProblemDraft& b) {
  return std::equal(a.masks.begin(), a.masks.end(), b.masks.begin(), b.masks.end(),
                    [](const MaskSpec& x, const MaskSpec& y) { return x.text == y.text; });
}

}  // namespace

ModelAttention build_attention(Attends attends, const ProblemDraft& whole, ProblemFacts& model,
                               const ModelKind& kind) {
  ModelAttention made = built(attends, draft_of(attends, whole, kind), whole, model, nullptr);
  drop_arrays(made.draft);
  return made;
}

std::vector<std::shared_ptr<const ModelAttention>> build_layers(const ProblemDraft& whole,
                                                                ProblemFacts& model,
                                                                const ModelKind& kind) {
  const std::vector<LayerSettings>& settings = whole.model->layers;
  const Index n_keys = past_of(whole) + model.n_queries;
  std::vector<std::shared_ptr<ModelAttention>> layers;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto same = std::find(settings.begin(), settings.end(), settings[i]) - settings.begin();
    if (static_cast<std::size_t>(same) < i) {
      layers.push_back(layers[static_cast<std::size_t>(same)]);
      continue;
    }
    ProblemDraft draft = draft_of(Attends::Target, whole, kind);
    apply_layer(settings[i], n_keys, draft);
    const auto alike = std::find_if(layers.begin(), layers.end(), [&](const auto& each) {
      return same_masks(each->draft, draft);
    });
    layers.push_back(
        std::make_shared<ModelAttention>(built(Attends::Target, std::move(draft), whole, model,
                                               alike == layers.end() ? nullptr : alike->get())));
    layers.back()->places = places_of(settings[i], i);
    if (i > 0) layers.back()->facts.bias = layers.front()->facts.bias;  // in memory once
  }
  for (const auto& each : layers) drop_arrays(each->draft);
  return {layers.begin(), layers.end()};
}

namespace {

/// What attends to what in an attention whose weights' names begin so.
Attends attends_in(const std::string& prefix, const ModelKind& kind) {
  const auto has = [&](const char* part) {
    return *part != '\0' && prefix.find(part) != std::string::npos;
  };
  return has(kind.cross_attn)      ? Attends::Memory
         : has(kind.encoder_stack) ? Attends::Source
                                   : Attends::Target;
}

/// 3 for "model.layers.3.self_attn." where layers are in "layers".
std::optional<std::size_t> layer_in(const std::string& prefix, const ModelKind& kind) {
  const std::string before = std::string(kind.stack) + ".";
  const std::size_t at = prefix.find(before);
  if (at == prefix.npos) return std::nullopt;
  const std::string rest = prefix.substr(at + before.size());
  const std::size_t digits = rest.find_first_not_of("0123456789");
  if (digits == 0 || digits > 6 || digits == rest.npos) return std::nullopt;
  return std::stoul(rest.substr(0, digits));
}

/// An attention of a family has all that each of its attentions has.
void refuse_incomplete(const ProblemDraft& one, const std::string& prefix, const ModelKind& kind,
                       bool biased) {
  const auto ends = [&](const char* module) {
    return *module != '\0' && prefix.ends_with(std::string(module) + ".");
  };
  if (!ends(kind.self_attn) && !ends(kind.cross_attn)) return;
  const std::vector<std::string> names = kind.lacking(one.weights, true, biased);
  if (names.empty()) return;
  throw input_error({.id = "missing-key",
                     .what = filled("attention of {} needs {} that {} does not have: {}", kind.what,
                                    counted(std::ssize(names), "tensor"), prefix, listed(names)),
                     .places = {{.pointer = "/weights"}},
                     .fix = "Check that the file is complete."});
}

}  // namespace

ProblemDraft attention_of_layer(const ProblemDraft& whole, const std::string& prefix) {
  const ModelKind& kind = *find_model_kind(whole.model->kind);
  const Attends attends = attends_in(prefix, kind);
  ProblemDraft one = draft_of(attends, whole, kind);
  one.ids.clear();
  one.family = kind.family();
  one.needs_memory = attends == Attends::Memory;
  const auto layer = layer_in(prefix, kind);
  const std::vector<LayerSettings>& layers = whole.model->layers;
  if (layer && *layer < layers.size())
    apply_layer(layers[*layer], std::numeric_limits<Index>::max(), one);
  for (const auto& [name, tensor] : whole.model_weights) {
    const bool is_table = *kind.first_has != '\0' && name.ends_with(kind.first_has);
    const bool of_stack = attends == Attends::Source
                              ? name.find(kind.encoder_stack) != std::string::npos
                              : name.find(kind.stack) != std::string::npos;
    const bool own_table = is_table && of_stack && one.positions.kind == PositionKind::T5;
    if (!own_table && (is_table || !name.starts_with(prefix))) continue;
    Array& array =
        own_table ? one.positions.table.emplace() : one.weights[name.substr(prefix.size())];
    array = tensor.read();
    array.shape = tensor.shape;
  }
  if (one.weights.empty()) {
    throw input_error(
        {.id = "unknown-tensor",
         .what = filled("no tensor of the model has a name that begins with {}", prefix),
         .places = {{.pointer = "/weights"}},
         .fix = filled("Write the beginning of the names of one attention, such as "
                       "{}{}.0.{}.",
                       kind.prefix, kind.stack, kind.self_attn)});
  }
  refuse_incomplete(one, prefix, kind, whole.model->attention_biases);
  one.notes.push_back(
      filled("settings as the configuration of the model says; embeddings are what "
             "this attention reads, after the norm before it, if there is one"));
  return one;
}

ProblemFacts attention_facts(const ModelAttention& shared, Index q_cols, Index k_cols,
                             Index v_cols) {
  ProblemFacts p = shared.facts;
  const auto rows = [&](Index n, Index cols) { return Tensor::outline({p.batch, {}, n, cols}); };
  p.q = rows(p.n_queries, q_cols);
  p.k = rows(p.n_keys - p.n_past, k_cols);
  p.v = rows(p.n_keys - p.n_past, v_cols);
  Build build{shared.draft, p};
  try {
    build_heads(build);
    default_settings(build);
    build_positions(build);
  } catch (const Error& error) {
    Error placed = error;
    for (const char* each : {"/q", "/k", "/v"}) placed = with_pointers(placed, each, "/weights");
    throw at_layer(placed, shared);
  }
  p.q = p.k = p.v = std::nullopt;
  return p;
}

ProblemFacts latent_facts(const ModelAttention& shared, AdoptedWeights weights,
                          const std::string& scope, Index d_model) {
  ProblemFacts p = shared.facts;
  p.d_model = d_model;
  Build build{shared.draft, p, {}, std::move(weights)};
  try {
    build_latent(build);
    default_settings(build);
    build_positions(build);
  } catch (const Error& error) {
    throw at_layer(with_pointers(error, "/weights", "/weights/" + scope), shared);
  }
  return p;
}

void add_norm_and_sinks(const ModelAttention& shared, AdoptedWeights weights, ProblemFacts& facts) {
  Build build{shared.draft, facts};
  build.weights = std::move(weights);
  build_qk_norm(build);
  build_sinks(build);
  build_gate(build, std::nullopt);
}

}  // namespace attn
