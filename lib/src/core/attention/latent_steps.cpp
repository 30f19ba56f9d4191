// Multi-head latent attention: DeepSeek-V2, 2024, section 2.1.
// Keys and values are made from a narrow latent of each token, which is all that a cache keeps,
// with the columns for RoPE.
#include "core/attention/attention_steps.hpp"
#include "core/operations/operations.hpp"

namespace attn {
namespace {

/// X·W, and its RMS norm if there is one.                                       T × rank
std::string latent_of(Recorder& record, const std::string& id, const std::string& x,
                      const Projection& down, const std::string& weight,
                      const std::optional<Tensor>& gain, double epsilon) {
  const std::string c = record_linear(record, id, x, down, weight);
  if (!gain) return c;
  return record(id + "_normed", ops::rms_norm, {c, record.input(id + "_norm", *gain)},
                {{"epsilon", epsilon}});
}

}  // namespace

AttentionInputs record_latents(Recorder& record, const Latent& latent,
                               const AttentionInputs& from) {
  const double epsilon = latent.epsilon;
  const std::string q = latent.to_q_latent
                            ? latent_of(record, "q_latent", from.queries, *latent.to_q_latent, "dq",
                                        latent.q_norm, epsilon)
                            : from.queries;
  const std::string kv = latent_of(record, "kv_latent", from.keys, latent.to_kv_latent, "dkv",
                                   latent.kv_norm, epsilon);
  return {q, kv, kv};
}

std::string record_latent_keys(Recorder& record, const ProblemFacts& p, const std::string& x,
                               const std::string& latent) {
  const std::string k = p.heads ? "k_heads" : "k";
  const std::string nope =
      record_heads(record, "k_nope",
                   record_linear(record, "k_nope", latent, p.latent->to_k_nope, "uk"), p.heads);
  if (!p.latent->to_k_rope) return record(k, ops::copy, {nope});
  const std::string rope = record_linear(record, "k_rope", x, *p.latent->to_k_rope, "kr");
  return record(k, ops::append_columns, {nope, rope});
}

}  // namespace attn
