// Knows the order of all steps, and compares ids, then numbers, up to the first difference.
#include "support/compare_steps.hpp"

#include <sstream>

#include "support/compare.hpp"

namespace attn::testing {

const char* const kStepOrder =
    "x memory memory_values positions x_positioned q_latent q_latent_normed "
    "kv_latent kv_latent_normed q k_nope k_nope_heads k_rope k v q_heads k_heads v_heads q_normed "
    "k_normed "
    "q_rotated k_rotated k_all v_all gate_logits attention_gate "
    "scores scaled_scores capped_scores bias mask added_mask masked_scores sink_weights row_max "
    "exp_scores exp_sink row_sum weights "
    "masked_weights renormalized_weights query_masked_weights context attention_gate_heads "
    "gated_context concat gated_concat ungated_output gated_output output";

std::string expected_order(const Steps& steps) {
  std::string all = kStepOrder;
  if (steps.count("kv_latent") > 0 && steps.count("k") == 0) {  // keys are whole before values
    const std::string keys = "k_heads ", values = "v ";
    all.erase(all.find(" " + keys) + 1, keys.size());
    all.insert(all.find(" " + values) + 1, keys);
  }
  std::istringstream order(all);
  std::string ids;
  for (std::string id; order >> id;) {
    if (steps.count(id) > 0) ids += (ids.empty() ? "" : " ") + id;
  }
  return ids;
}

std::string first_wrong_step(const Steps& expected, const Trace& trace, bool masked_first) {
  std::string found, order = expected_order(expected);
  const std::string scaled = "scaled_scores ", masked = "masked_scores ";
  const std::size_t at = order.find(scaled), end = order.find(masked);
  if (masked_first && at != order.npos && end != order.npos) {
    order.insert(end + masked.size(), scaled);
    order.erase(at, scaled.size());
  }
  for (const Step& step : trace.steps) found += (found.empty() ? "" : " ") + step.id;
  const std::string norms = "q_normed k_normed ";  // also before the heads are cut, or rotated
  for (std::string* ids : {&order, &found}) {
    const std::size_t place = ids->find(norms);
    if (place != ids->npos) ids->erase(place, norms.size());
  }
  if (order != found) return "steps " + found + "; expected " + order;
  for (const Step& step : trace.steps) {
    const std::string difference = first_difference(expected.at(step.id), step.value);
    if (!difference.empty()) return step.id + " " + difference;
  }
  return "";
}

}  // namespace attn::testing
