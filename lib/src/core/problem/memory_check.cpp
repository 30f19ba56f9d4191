// How many bytes a problem takes, before its masks and its bias are stretched over all scores.
#include "attn/core/memory_budget.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

double bytes_of(const std::optional<Tensor>& tensor) {
  return tensor ? array_bytes(tensor->shape().sizes()) : 0.0;
}

/// The matrices that are there already.
double given_bytes(const ProblemFacts& p) {
  double bytes = 0.0;
  for (const auto* tensor :
       {&p.x, &p.memory, &p.memory_values, &p.q, &p.k, &p.v, &p.past_k, &p.past_v})
    bytes += bytes_of(*tensor);
  for (const auto* projection : {&p.to_q, &p.to_k, &p.to_v, &p.to_output}) {
    if (*projection) bytes += bytes_of((*projection)->w) + bytes_of((*projection)->b);
  }
  return bytes;
}

}  // namespace

void check_size(Build& build) {
  ProblemFacts& p = build.problem;
  const ProblemDraft& d = build.draft;
  const double pairs =
      array_bytes({p.batch.value_or(1), p.heads.value_or(1), p.n_queries, p.n_keys});
  const bool masked = !d.masks.empty() || d.allowed || !d.key_lengths.empty();
  constexpr double kMask = 1.25;  // 8 bytes: is it visible; 2: which mask hides it
  const double given = given_bytes(p), masks = masked ? kMask * pairs : 0.0;
  p.bytes = given + masks + (d.bias ? pairs : 0.0);
  p.max_memory = d.max_memory;
  const bool most_is_mask = !d.masks.empty() && masks > given;
  MemoryBudget{p.max_memory}.take_bytes(p.bytes, most_is_mask ? "/mask"
                                                 : p.x        ? "/embeddings"
                                                              : "/q");
}

}  // namespace attn
