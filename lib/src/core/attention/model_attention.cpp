// One attention of a model: its weights, its masks, and its steps.
#include <algorithm>

#include "attn/phrases.hpp"
#include "core/attention/attention_steps.hpp"
#include "core/attention/model_run.hpp"
#include "core/attention/number_notes.hpp"
#include "core/attention/scope.hpp"
#include "core/problem/build_model.hpp"

namespace attn {

Array ModelPart::bias_table(Index heads) {
  const std::string layers = scope_.substr(0, scope_.rfind('.'));
  const Tensor table = run_.weight(layers + ".0." + run_.kind().first_has, 0, heads);
  return {{table.rows(), table.cols()}, {table.data().begin(), table.data().end()}};
}

std::string ModelPart::attention(const std::string& module, const std::string& x,
                                 const std::string& memory) {
  const std::string scope = scope_ + "." + module;
  AttentionWeights made = run_.attention_weights(scope);
  AdoptedWeights& weights = made.others;
  if (!made.o) return x;  // `check` will refuse them
  for (auto& [name, pointer] : weights.pointers)
    pointer = "/weights/" + scope + "." + pointer.substr(9);
  const bool latent = is_latent(weights);
  const std::string& from = memory.empty() ? x : memory;
  bool fits = true;
  const auto demand = [&](const std::string& name, const char* what, Index has, Index wanted,
                          const char* why) {
    if (has == wanted) return;
    fits = false;
    run_.complaints_.add("shape-mismatch", weights.pointers.at(name),
                         filled("{} of {} has {}, but {} {}", name, scope, counted(has, what), why,
                                counted(wanted, "number")),
                         kBelongTogether);
  };
  const auto demand_rows = [&](const char* name, Index has, Index wanted) {
    demand(name, "row", has, wanted, "it multiplies rows of");
  };
  if (!latent) {
    demand_rows("w_q", made.q->w.rows(), width(x));
    demand_rows("w_k", made.k->w.rows(), width(from));
    demand_rows("w_v", made.v->w.rows(), width(from));
  }
  demand("w_o", "column", made.o->w.cols(), width(x), "its result is added to rows of");
  for (const auto& [name, part] :
       {std::pair{"b_q", &made.q}, {"b_k", &made.k}, {"b_v", &made.v}, {"b_o", &made.o}}) {
    if (!*part || !(*part)->b) continue;
    demand(name, "number", (*part)->b->cols(), (*part)->w.cols(), "it is added to rows of");
  }
  if (!fits) return x;
  const ModelCache::Keys* past = run_.cached(scope);
  const Attends attends = !memory.empty()         ? Attends::Memory
                          : side_ == Side::Source ? Attends::Source
                                                  : Attends::Target;
  ModelAttention shared = run_.problem_.model->attention(attends, layer_);
  if (shared.draft.positions.kind == PositionKind::T5)
    shared.draft.positions.table = bias_table(run_.problem_.heads.value_or(1));
  ProblemFacts p =
      latent ? latent_facts(shared, {std::move(weights.arrays), weights.pointers, {}, {}}, scope,
                            width(x))
             : attention_facts(shared, made.q->w.cols(), made.k->w.cols(), made.v->w.cols());
  demand_rows("w_o", made.o->w.rows(), p.heads.value_or(1) * p.d_v);
  if (!fits) return x;
  if (!latent) add_norm_and_sinks(shared, weights, p);
  p.d_model = width(x);
  if (!latent) {
    p.to_q = std::move(made.q);
    p.to_k = std::move(made.k);
    p.to_v = std::move(made.v);
  }
  p.to_output = std::move(made.o);
  if (past != nullptr) {
    const bool whole = attends == Attends::Memory;  // made from the same memory earlier
    (whole ? p.k : p.past_k) = past->k;
    (whole ? p.v : p.past_v) = past->v;
    if (whole) p.to_k = p.to_v = std::nullopt;
  }

  const auto facts = std::make_shared<Scope>(scope_of(p));
  facts->name = scope;
  Recorder record(run_.trace_, facts, run_.recipe_, run_.numbers_,
                  kept_until_noted(p, run_.keeps_));
  const std::string output = record_attention(record, p, {x, from, from});
  if (run_.numbers_ == Numbers::None) return output;
  settle(*facts, run_.trace_);
  run_.note_once(weights.notes);
  run_.note_once(p.notes, scope);
  std::vector<std::string> notes;
  std::swap(notes, run_.trace_.notes);
  note_attention(run_.trace_, *facts, p);
  std::swap(notes, run_.trace_.notes);
  run_.note_once(notes, scope);
  return output;
}

}  // namespace attn
