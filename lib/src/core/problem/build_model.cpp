// Checks the keys that a kind of model reads; builds ids or rows, layers, attentions and weights.
#include "core/problem/build_model.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "attn/core/memory_budget.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "core/problem/attention_keys.hpp"
#include "core/problem/build.hpp"
#include "core/problem/embedding_table.hpp"
#include "core/problem/model_checks.hpp"

namespace attn {
namespace {

const ModelKind& kind_of(const ProblemDraft& draft) {
  if (const ModelKind* kind = find_model_kind(draft.model->kind)) return *kind;
  std::vector<std::string> names;
  for (const ModelKind& each : model_kinds()) names.emplace_back(each.name);
  throw input_error({.id = "out-of-range",
                     .what = filled("there is no kind of model called \"{}\"{}", draft.model->kind,
                                    did_you_mean(draft.model->kind, names)),
                     .places = {{.pointer = "/model/kind"}},
                     .fix = "Choose " + either(names) + "."});
}

/// The base of rotary positions has one value, wherever it is said.
void check_base(const ProblemDraft& d, Complaints& complaints) {
  const std::optional<double> base = d.model->rope_base;
  const auto scaling = d.positions.scaling.value_or(RopeScaling());
  for (const auto& [other, key] : {std::pair{d.positions.base, "positions/base"},
                                   {scaling.rope_theta, "positions/scaling/rope_theta"}}) {
    if (!base || !other || *base == *other) continue;
    complaints.add(
        {.id = "given-twice",
         .what = filled("model/rope_base is {}, but {} is {}", format_exact(*base), key,
                        format_exact(*other)),
         .places = {{.pointer = "/model/rope_base"}, {.pointer = std::string("/") + key}},
         .fix = kKeepOne});
  }
}

/// Parameters of positions that are added to the input; an attention checks those of its own.
void check_positions(const ModelKind& kind, const ProblemDraft& d, Complaints& complaints) {
  const PositionKind given = d.positions.kind;
  const bool added = is_added(given) || kind.plan == ModelPlan::Part;
  if (added) check_parameters(d.positions, given, complaints);
}

/// More heads than columns are never right, but would be counted one after the other.
Index most_heads(const ProblemDraft& d) {
  Index most = 1024;
  const auto count = [&](const auto& weights) {
    for (const auto& [name, weight] : weights) {
      for (const Index size : weight.shape) most = std::max(most, size);
    }
  };
  count(d.weights);
  count(d.model_weights);
  return most;
}

/// What a kind reads besides the usual keys, and whether it is there.
void check_inputs(const ModelKind& kind, const ProblemDraft& d, Complaints& complaints) {
  const auto demand = [&](bool wanted, bool given, const char* key, const char* how,
                          std::vector<Change> changes = {}) {
    if (wanted == given) return;
    const std::string model = filled("a model of kind {}", kind.name);
    const std::string word = std::string(key).substr(std::string(key).rfind('/') + 1);
    if (wanted) {
      complaints.add({.id = "missing-key",
                      .what = filled("{} reads \"{}\", which is missing", model, key),
                      .places = {{.pointer = ""}},
                      .fix = filled("Add \"{}\": {}.", key, how),
                      .changes = std::move(changes)});
    } else {
      const bool either = kind.input == ModelInput::SourceIds && word == "embeddings";
      complaints.add("two-inputs", "/" + std::string(key),
                     filled("{} does not read \"{}\"{}", model, word, either ? " beside ids" : ""),
                     filled("Leave out \"{}\".", word));
    }
  };
  const bool ids = kind.reads_ids(), from_ids = kind.starts_from_ids(d);
  demand(from_ids, !d.ids.empty(), "ids", "[464, 3797]", {{"ids", "464,3797"}});
  demand(!from_ids, d.has_rows(), d.embedding_table.empty() ? "embeddings" : "embedding_table",
         "one row of numbers per token");
  const bool source_ids = ids && *kind.not_computed == '\0';
  demand(kind.encodes(), d.source.has_value(), "source",
         source_ids ? "{\"ids\": [464, 3797]}" : "{\"tokens\": […], \"embeddings\": […]}",
         source_ids ? std::vector<Change>{{"source-ids", "464,3797"}} : std::vector<Change>());
  if (d.source) demand(false, !source_ids && !d.source->ids.empty(), "source/ids", "");
  if (d.source && !d.source->ids.empty())
    demand(false, !d.source->embeddings.shape.empty() || !d.source->embedding_table.empty(),
           "source/embeddings", "");
  if (d.source && d.source->ids.empty() && d.source->embeddings.shape.empty() &&
      (d.source->embedding_table.empty() || d.source->tokens.empty())) {
    complaints.add("missing-key", "/source", "source has no embeddings",
                   "Add \"embeddings\" to source, or an \"embedding_table\" with \"tokens\".");
  }
  demand(kind.input == ModelInput::Memory, d.memory.has_value(), "memory",
         "{\"embeddings\": […]}, the encoder's output");
  if (!kind.encodes()) demand(false, !d.source_masks.empty(), "source_mask", "");
  if (!kind.encodes() && kind.input != ModelInput::Memory)
    demand(false, !d.memory_masks.empty(), "memory_mask", "");
  const ModelDraft& m = *d.model;
  for (const auto& [key, given] : {std::pair{"norm_first", m.norm_first},
                                   {"activation", !m.activation.empty()},
                                   {"layer_norm_eps", m.layer_norm_eps.has_value()},
                                   {"rope_base", m.rope_base.has_value()},
                                   {"layers", !m.layers.empty()},
                                   {"embedding_multiplier", m.embedding_multiplier.has_value()},
                                   {"residual_multiplier", m.residual_multiplier.has_value()},
                                   {"logits_scaling", m.logits_scaling.has_value()},
                                   {"logits_softcap", m.logits_softcap.has_value()},
                                   {"parallel_residual", m.parallel_residual.has_value()},
                                   {"num_experts_per_tok", m.experts.per_token.has_value()},
                                   {"norm_topk_prob", m.experts.renormalize.has_value()},
                                   {"n_group", m.experts.groups.has_value()},
                                   {"topk_group", m.experts.kept_groups.has_value()},
                                   {"routed_scaling_factor", m.experts.factor.has_value()},
                                   {"pad_id", m.pad_id.has_value()}}) {
    const bool read = kind.reads(key);
    if (!read) demand(false, given, filled("model/{}", key).c_str(), "");
  }
  if (ids) {
    demand(false, is_added(d.positions.kind), "positions", "");
    demand(false, d.vocabulary && !d.vocabulary->w.shape.empty(), "vocabulary/w", "");
    demand(false, d.vocabulary && d.vocabulary->b.has_value(), "vocabulary/b", "");
  }
  if (from_ids && d.text) {
    complaints.add(
        {.id = "two-inputs",
         .what = filled("{} reads ids; text is looked up in an embedding_table", kind.what),
         .places = {{.pointer = "/text"}},
         .fix = "Put the model's tokenizer.json beside it, name one, or give ids in place of the "
                "text.",
         .changes = {{"ids", "464,3797"}}});
  }
  demand(false, !d.positions.ids.empty() && !is_rotary(kind.positions), "positions/ids", "");
  demand(false, d.positions.kind == PositionKind::Learned, "positions", "");
  const bool t5 = d.positions.kind == PositionKind::T5;
  demand(false, t5 && *kind.first_has == '\0', "positions", "");
  demand(false, d.latent && !kind.is_latent(), "latent", "");
  for (const auto& [key, given] : {std::pair{"q", &d.q}, {"k", &d.k}, {"v", &d.v}})
    demand(false, given->has_value(), key, "");
  const bool attends = kind.plan != ModelPlan::Part;
  for (const AttentionKey& key : attention_keys()) {
    if (!(attends && key.in_models)) demand(false, key.is_given(d), key.name, "");
  }
  if (!attends) {
    const PositionKind positions = d.positions.kind;
    demand(false, is_rotary(positions) || positions == PositionKind::Alibi, "positions", "");
  } else if (!d.heads) {
    complaints.add("missing-key", "", "a model needs to know how many heads its attention has",
                   "Add \"heads\": 8, for example.");
  } else if (*d.heads > most_heads(d)) {
    complaints.add(
        "out-of-range", "/heads",
        filled("there are {} heads, but no weight has as many rows or columns", *d.heads),
        "Every head needs columns of its own: look up how many the model has.");
  }
  demand(false, attends && d.score == ScoreKind::Additive, "score", "");
  check_positions(kind, d, complaints);
  check_base(d, complaints);
}

using IdLists = std::vector<std::vector<Index>>;

TokenLists texts_of(const IdLists& ids, const ProblemDraft& draft) {
  const std::vector<std::string> words =
      draft.vocabulary ? draft.vocabulary->tokens : std::vector<std::string>();
  TokenLists texts;
  for (const auto& entry : ids) {
    texts.emplace_back();
    for (const Index id : entry) texts.back().push_back(word_of_id(id, words));
  }
  return texts;
}

/// How many ids each entry of the batch has; complains if they have not all the same number.
Index count_ids(Build& build, const IdLists& ids, const std::string& pointer) {
  const Index n = std::ssize(ids.front());
  for (std::size_t b = 0; b < ids.size(); ++b) {
    if (std::ssize(ids[b]) == n && n > 0) continue;
    build.complaints.add(
        "token-count", filled("{}/{}", pointer, b),
        filled("list {} of ids has {}, list 0 has {}", b, counted(std::ssize(ids[b]), "id"), n),
        "Give every entry of the batch the same number of ids, at least one.");
  }
  return n;
}

/// Rows of numbers in place of ids.
Tensor rows_of(Build& build, const std::optional<Array>& rows, const std::string& pointer) {
  build.complaints.throw_if_any();
  check_array(*rows, pointer, build.complaints);
  if (rows->rank() != 2 && rows->rank() != 3)
    build.complaints.add("rank", pointer,
                         filled("{} is {}", dotted(pointer), shape_text(rows->shape)),
                         "Give T × d_model numbers, or N × T × d_model for a batch.");
  build.complaints.throw_if_any();
  return stacked(*rows);
}

/// What the encoder reads: ids, or rows of numbers, as many batch entries as the decoder.
void build_source(Build& build) {
  const ProblemDraft::Memory& source = *build.draft.memory;
  ProblemFacts& p = build.problem;
  std::optional<Index> batch;
  if (source.ids.empty()) {
    p.memory = rows_of(build, memory_of(build), "/memory/embeddings");
    p.n_keys = p.memory->rows();
    batch = p.memory->shape().batch;
  } else {
    p.n_keys = count_ids(build, source.ids, "/memory/ids");
    if (source.ids.size() > 1) batch = std::ssize(source.ids);
  }
  if (batch == p.batch) return;
  build.complaints.add("batch-mismatch", "/memory",
                       filled("{} {}, but the source has {}", p.x ? "embeddings have" : "ids have",
                              counted(p.batch.value_or(1), "batch entry"), batch.value_or(1)),
                       "Make both batches the same size.");
}

/// Ids as rows of a batch, and as labels where there are no others; or rows of numbers.
void build_ids(Build& build) {
  const ProblemDraft& d = build.draft;
  ProblemFacts& p = build.problem;
  if (d.ids.empty()) {
    p.x = rows_of(build, embeddings_of(build), "/embeddings");
    p.n_queries = p.n_keys = p.x->rows();
    p.batch = p.x->shape().batch;
  } else {
    p.n_queries = p.n_keys = count_ids(build, d.ids, "/ids");
    if (d.ids.size() > 1) p.batch = std::ssize(d.ids);
    if (d.tokens.empty()) p.query_tokens = texts_of(d.ids, d);
  }
  if (d.memory) build_source(build);
  build_tokens(build);
}

/// Weights under the names of their library, without the prefix of the whole model.
ModelTensors weights_of(const ProblemDraft& draft, const ModelKind& kind, Complaints& complaints) {
  ModelTensors all = draft.model_weights;
  for (const auto& [name, array] : draft.weights) {
    const auto shared = std::make_shared<const Array>(array);
    all[name] = {array.shape, [shared] { return *shared; }};
  }
  const std::string prefix = kind.prefix;
  ModelTensors weights;
  std::map<std::string, std::string> given_as;
  for (auto& [name, tensor] : all) {
    if (is_idle_weight(name)) continue;
    const bool prefixed = !prefix.empty() && name.starts_with(prefix);
    const bool bare = *kind.only != '\0' && name.find('.') == name.npos;
    const std::string own = prefixed ? name.substr(prefix.size())
                            : bare   ? std::string(kind.only) + "." + name
                                     : name;
    const auto [first, is_new] = given_as.emplace(own, name);
    if (is_new) {
      weights.emplace(own, std::move(tensor));
      continue;
    }
    complaints.add(
        {.id = "given-twice",
         .what = filled("{} is given twice: as {} and as {}", own, first->second, name),
         .places = {{.pointer = "/weights/" + first->second}, {.pointer = "/weights/" + name}},
         .fix = kKeepOne});
  }
  return weights;
}

}  // namespace

std::string word_of_id(Index id, const std::vector<std::string>& words) {
  const bool known = id >= 0 && id < std::ssize(words);
  return known ? words[static_cast<std::size_t>(id)] : "v" + std::to_string(id);
}

Error with_pointers(const Error& error, const std::string& from, const std::string& to) {
  std::vector<Diagnostic> all = error.diagnostics();
  for (Diagnostic& each : all) {
    for (Place& place : each.places) {
      const std::string_view rest =
          std::string_view(place.pointer).substr(std::min(from.size(), place.pointer.size()));
      const bool within = rest.empty() || rest.front() == '/';  // not "/kv_heads" of "/k"
      if (place.pointer.starts_with(from) && within) place.pointer.replace(0, from.size(), to);
    }
  }
  return Error(error.kind(), std::move(all), error.omitted());
}

void start_decoder(ProblemDraft& draft) {
  if (draft.model && draft.model->start_id && draft.ids.empty() && !draft.has_rows() &&
      draft.source)
    draft.ids = {{*draft.model->start_id}};
}

ProblemFacts build_model(const ProblemDraft& given) {
  const ModelKind& kind = kind_of(given);
  ProblemFacts p;
  p.title = given.title;
  p.description = given.description;
  p.notes = given.notes;
  if (*kind.not_computed != '\0')
    p.notes.push_back(filled(
        "{} begins with what its convolutions make: attn does not compute these", kind.what));
  ProblemDraft draft = given;
  draft.weights.clear();
  draft.model_weights.clear();
  if (draft.source) draft.memory = draft.source;
  if (draft.source && draft.source->tokens.empty())
    draft.memory->tokens = texts_of(draft.source->ids, draft);
  Build build{draft, p};
  p.max_memory = draft.max_memory;
  check_inputs(kind, given, build.complaints);
  build.complaints.throw_if_any();
  try {
    check_settings(build);
    if (kind.reads_ids()) {
      check_counts(build);
      build_ids(build);
    } else {
      build_inputs(build);
      build_tokens(build);
    }
    build_prediction(build);
    build.complaints.throw_all();
  } catch (const Error& error) {
    if (!given.source) throw;
    throw with_pointers(error, "/memory", "/source");
  }
  if (draft.cache) p.n_past = std::ssize(draft.cache->tokens);
  p.heads = draft.heads;
  p.kv_heads = draft.kv_heads.value_or(draft.heads.value_or(1));
  p.dtype = draft.dtype;
  p.fill = draft.fill;
  p.empty_row = draft.empty_row;
  count_given(build);
  double weights = 0.0;
  for (const auto& [name, array] : given.weights) weights += array_bytes(array.shape);
  take(build, weights, "/weights");
  ModelFacts model{{}, weights_of(given, kind, build.complaints), &kind, {}, {}};
  build.complaints.throw_if_any();
  const bool has_memory = kind.encodes() || kind.input == ModelInput::Memory;
  const bool encodes = kind.encodes() && !(draft.cache && draft.cache->memory);
  const bool alike = draft.model->layers.empty() && kind.plan != ModelPlan::Part;
  if (!draft.model->layers.empty()) model.layers = build_layers(draft, p, kind);
  for (const auto& [attends, wanted] : {std::pair{Attends::Target, alike},
                                        {Attends::Memory, has_memory},
                                        {Attends::Source, encodes}}) {
    if (wanted) model.attentions.emplace(attends, build_attention(attends, draft, p, kind));
  }
  draft.allowed.reset();
  draft.bias.reset();
  draft.embeddings.reset();
  draft.embedding_table.clear();
  draft.memory.reset();
  if (draft.source)
    draft.source = MemoryDraft{.tokens = {}, .embeddings = {}, .ids = draft.source->ids};
  draft.vocabulary.reset();
  model.draft = std::move(draft);
  p.model = std::make_shared<const ModelFacts>(std::move(model));
  check_model_weights(p, build.complaints);
  if (p.prediction) {
    const auto named = std::ssize(p.prediction->words);
    fit_words(*p.model, *p.prediction, build.complaints);
    const auto all = std::ssize(p.prediction->words);
    if (named < all)
      p.notes.push_back(filled("names are known for {} of the {} words of the model", named, all));
  }
  build.complaints.throw_all();
  return p;
}

}  // namespace attn
