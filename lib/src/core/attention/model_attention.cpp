// One attention of a model: its weights, its masks, and its steps.
#include <algorithm>

#include "attn/phrases.hpp"
#include "core/attention/attention_steps.hpp"
#include "core/attention/model_run.hpp"
#include "core/attention/number_notes.hpp"
#include "core/attention/scope.hpp"
#include "core/problem/build_model.hpp"

namespace attn {
namespace {

/// The weights of one attention as projections, d_in × d_out.
struct Projections {
  Projection q, k, v, o;
};

Tensor matrix(Array& array) {
  const Shape shape{{}, {}, array.rank() < 2 ? 1 : array.shape[0], array.shape.back()};
  return array.data.empty() ? Tensor::outline(shape) : Tensor(shape, std::move(array.data));
}

/// Keys or values of a cache: P × d, with heads in front if there are any.
Tensor stack_of(const Array& array) {
  const std::size_t n = array.rank();
  const auto heads = n > 2 ? std::optional(array.shape[0]) : std::nullopt;
  return {Shape{{}, heads, array.shape[n - 2], array.shape[n - 1]}, array.data};
}

Projection projection(AdoptedWeights& weights, const std::string& letter) {
  Projection result{matrix(weights.arrays.at("w_" + letter)), std::nullopt};
  const auto bias = weights.arrays.find("b_" + letter);
  if (bias != weights.arrays.end()) result.b = matrix(bias->second);
  return result;
}

/// Ones, with rows of zeros where `x` has them: all that masks need to know of queries and keys.
Array stand_in(const std::optional<Tensor>& x, std::optional<Index> batch, Index rows, Index cols) {
  const Index entries = batch.value_or(1);
  Array array{{entries, rows, cols},
              std::vector<double>(static_cast<std::size_t>(entries * rows * cols), 1.0)};
  if (!batch) array.shape.erase(array.shape.begin());
  if (!x) return array;
  auto at = array.data.begin();
  for (Index b = 0; b < entries; ++b) {
    for (Index r = 0; r < rows; ++r, at += cols) {
      const auto row = x->row(b, 0, r);
      if (std::all_of(row.begin(), row.end(), [](double each) { return each == 0.0; }))
        std::fill(at, at + cols, 0.0);
    }
  }
  return array;
}

/// The masks of a problem that act on one attention, and where they are in the problem.
struct Masks {
  const std::vector<MaskSpec>& specs;
  const char* pointer;
};

Masks masks_of(const ProblemDraft& d, bool to_memory, Side side) {
  if (to_memory) return {d.memory_masks, "/memory_mask"};
  return side == Side::Source ? Masks{d.source_masks, "/source_mask"} : Masks{d.masks, "/mask"};
}

}  // namespace

/// Masks, positions and settings of an attention with projections of these sizes.
ProblemFacts ModelPart::attention_facts(const ModelCache::Keys* past, bool to_memory, Index q_cols,
                                        Index k_cols, Index v_cols) const {
  const ProblemFacts& p = run_.problem_;
  const ProblemDraft& whole = run_.draft();
  const bool of_target = side_ == Side::Target && !to_memory;
  const Masks masks = masks_of(whole, to_memory, side_);
  ProblemDraft d;
  static_cast<AttentionSettings&>(d) = whole;
  if (!of_target && d.align == Align::KeyLengths) d.align = Align::Start;
  if (to_memory || d.positions.kind == PositionKind::Sinusoidal) d.positions = {};
  d.tokens = side_ == Side::Source ? p.key_tokens : p.query_tokens;
  d.key_tokens = to_memory ? p.key_tokens : d.tokens;
  const auto& rows = side_ == Side::Source ? p.memory : p.x;
  const auto& keys = to_memory ? p.memory : rows;
  const Index n = std::ssize(d.tokens.front()), n_keys = std::ssize(d.key_tokens.front());
  d.q = stand_in(rows, p.batch, n, q_cols);
  d.k = stand_in(keys, p.batch, n_keys, k_cols);
  d.v = stand_in(keys, p.batch, n_keys, v_cols);
  d.heads = whole.heads;
  d.kv_heads = whole.kv_heads;
  d.masks = masks.specs;
  if (of_target && d.masks.empty() && run_.kind().causal) d.masks = {parse_mask("causal")};
  if (of_target) {
    d.allowed = whole.allowed;
    d.bias = whole.bias;
    d.key_lengths = whole.key_lengths;
    if (past != nullptr) d.past = {whole.cache->tokens, past->k, past->v};
  }
  d.max_memory = whole.max_memory;
  if (run_.kind().rotary && d.positions.kind == PositionKind::None) {
    d.positions.kind = PositionKind::Rope;
    d.positions.base = whole.model->rope_base;
  }
  try {
    return *make_problem(d);
  } catch (const Error& error) {
    const Error placed = with_pointers(error, "/mask", masks.pointer);
    throw with_pointers(with_pointers(with_pointers(placed, "/q", "/weights"), "/k", "/weights"),
                        "/v", "/weights");
  }
}

std::string ModelPart::attention(const std::string& module, const std::string& x,
                                 const std::string& memory) {
  const std::string scope = scope_ + "." + module;
  AdoptedWeights weights = run_.attention_weights(scope);
  if (!is_complete(weights)) return x;  // `check` will refuse them
  Projections made{projection(weights, "q"), projection(weights, "k"), projection(weights, "v"),
                   projection(weights, "o")};
  const std::string& from = memory.empty() ? x : memory;
  bool fits = true;
  const auto demand = [&](const std::string& name, const char* what, Index has, Index wanted,
                          const char* why) {
    if (has == wanted) return;
    fits = false;
    run_.complaints_.add("shape-mismatch",
                         "/weights/" + scope + weights.pointers.at(name).substr(8),
                         filled("{} of {} has {}, but {} {}", name, scope, counted(has, what), why,
                                counted(wanted, "number")),
                         "Check that model and weights belong together.");
  };
  const auto demand_rows = [&](const char* name, Index has, Index wanted) {
    demand(name, "row", has, wanted, "it multiplies rows of");
  };
  demand_rows("w_q", made.q.w.rows(), width(x));
  demand_rows("w_k", made.k.w.rows(), width(from));
  demand_rows("w_v", made.v.w.rows(), width(from));
  demand("w_o", "column", made.o.w.cols(), width(x), "its result is added to rows of");
  for (const auto& [name, part] :
       {std::pair{"b_q", &made.q}, {"b_k", &made.k}, {"b_v", &made.v}, {"b_o", &made.o}}) {
    if (part->b) demand(name, "number", part->b->cols(), part->w.cols(), "it is added to rows of");
  }
  if (!fits) return x;
  const ModelCache::Keys* past = run_.cached(scope);
  ProblemFacts p =
      attention_facts(past, !memory.empty(), made.q.w.cols(), made.k.w.cols(), made.v.w.cols());
  demand_rows("w_o", made.o.w.rows(), p.heads.value_or(1) * p.d_v);
  if (!fits) return x;
  p.q = p.k = p.v = std::nullopt;
  p.d_model = width(x);
  p.to_q = std::move(made.q);
  p.to_k = std::move(made.k);
  p.to_v = std::move(made.v);
  p.to_output = std::move(made.o);
  if (past != nullptr && !memory.empty()) {  // made from the same memory earlier
    p.to_k = p.to_v = std::nullopt;
    p.k = stack_of(past->k);
    p.v = stack_of(past->v);
  }

  const auto facts = std::make_shared<Scope>(scope_of(p));
  facts->name = scope;
  Recorder record(run_.trace_, facts, run_.recipe_, run_.numbers_);
  const std::string output = record_attention(record, p, {x, from, from});
  if (run_.numbers_ == Numbers::None) return output;
  settle(*facts, run_.trace_);
  run_.note_once(weights.notes);
  std::vector<std::string> notes;
  std::swap(notes, run_.trace_.notes);
  note_attention(run_.trace_, *facts, p);
  std::swap(notes, run_.trace_.notes);
  run_.note_once(notes, scope);
  return output;
}

}  // namespace attn
