// How many bytes a problem takes, counted before its masks and its bias are made.
#include "attn/core/memory_budget.hpp"
#include "core/problem/build.hpp"

namespace attn {
namespace {

double bytes_of(const std::optional<Tensor>& tensor) {
  return tensor ? array_bytes(tensor->shape().sizes()) : 0.0;
}

double bytes_of(const std::optional<Projection>& projection) {
  return projection ? array_bytes(projection->w.shape().sizes()) + bytes_of(projection->b) : 0.0;
}

}  // namespace

void take(Build& build, double bytes, const std::string& pointer) {
  ProblemFacts& p = build.problem;
  MemoryBudget{p.max_memory, p.bytes}.take_bytes(bytes, pointer);
  p.bytes += bytes;
}

void count_given(Build& build) {
  ProblemFacts& p = build.problem;
  double bytes = 0.0;
  for (const auto* tensor : {&p.x, &p.memory, &p.memory_values, &p.q, &p.k, &p.v, &p.extra_k,
                             &p.extra_v, &p.past_k, &p.past_v, &p.v_score})
    bytes += bytes_of(*tensor);
  for (const auto* projection : {&p.to_q, &p.to_k, &p.to_v, &p.to_output, &p.to_gate})
    bytes += bytes_of(*projection);
  if (p.latent) {
    bytes += bytes_of(p.latent->q_norm) + bytes_of(p.latent->kv_norm);
    for (const auto* projection : {&p.latent->to_q_latent, &p.latent->to_k_rope})
      bytes += bytes_of(*projection);
    for (const auto* projection : {&p.latent->to_kv_latent, &p.latent->to_k_nope})
      bytes += bytes_of(std::optional(*projection));
  }
  take(build, bytes, p.x ? "/embeddings" : "/q");
}

}  // namespace attn
