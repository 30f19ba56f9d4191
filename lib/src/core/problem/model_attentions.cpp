// The attentions of a whole model: what those that are alike share, and what their weights add.
#include <utility>

#include "core/problem/build.hpp"
#include "core/problem/build_model.hpp"

namespace attn {
namespace {

/// A problem without inputs and weights: what acts on the scores of one kind of attention.
ProblemDraft draft_of(Attends attends, ProblemDraft& whole, const ModelKind& kind) {
  const bool of_target = attends == Attends::Target;
  ProblemDraft d;
  static_cast<AttentionSettings&>(d) = whole;
  if (!of_target && d.align == Align::KeyLengths) d.align = Align::Start;
  if (attends == Attends::Memory || is_added(d.positions.kind)) d.positions = {};
  if (kind.rotary && d.positions.kind == PositionKind::None) d.positions.kind = PositionKind::Rope;
  if (!of_target) d.positions.ids.clear();
  const bool has_base =
      d.positions.base || (d.positions.scaling && d.positions.scaling->rope_theta);
  if (kind.rotary && is_rotary(d.positions.kind) && !has_base)
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
  std::swap(d.allowed, whole.allowed);
  std::swap(d.bias, whole.bias);
  return d;
}

const char* mask_pointer(Attends attends) {
  return attends == Attends::Target   ? "/mask"
         : attends == Attends::Memory ? "/memory_mask"
                                      : "/source_mask";
}

}  // namespace

ModelAttention build_attention(Attends attends, ProblemDraft& whole, ProblemFacts& model,
                               const ModelKind& kind) {
  ModelAttention made{draft_of(attends, whole, kind), {}};
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
    p.n_past = std::ssize(past);
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
  made.draft.allowed.reset();
  made.draft.bias.reset();
  model.bytes = p.bytes;
  model.empty_queries.insert(model.empty_queries.end(), p.empty_queries.begin(),
                             p.empty_queries.end());
  return made;
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
    throw placed;
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
    throw with_pointers(error, "/weights", "/weights/" + scope);
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
