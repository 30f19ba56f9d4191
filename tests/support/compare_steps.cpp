// Compares ids, then numbers, up to the first difference.
#include "support/compare_steps.hpp"

#include <algorithm>
#include <sstream>

#include "attn/phrases.hpp"
#include "support/compare.hpp"

namespace attn::testing {

std::vector<std::string> attention_steps() {
  const std::vector<std::string> all = step_ids();
  const auto first = std::find(all.begin(), all.end(), "x");
  return {first, std::find(first, all.end(), "output") + 1};
}

std::string expected_order(const Steps& steps) {
  std::string all = separated(attention_steps(), " ");
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
