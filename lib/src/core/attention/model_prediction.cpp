// What a model predicts: a score for every word, probabilities, and the loss.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "attn/phrases.hpp"
#include "core/attention/attention_steps.hpp"
#include "core/attention/model_run.hpp"
#include "core/operations/operations.hpp"
#include "core/problem/build.hpp"

namespace attn {

std::string ModelPart::logits(const std::string& x) {
  const std::string own = tensor("logits");
  std::vector<std::string> inputs{x};
  Parameters parameters;
  if (run_.has(own + ".weight")) {
    inputs.push_back(
        record_.input("w_vocabulary", run_.weight(own + ".weight", width(x), 0, true)));
  } else {
    inputs.emplace_back("token_table");
    parameters.set("transposed", true);
  }
  for (const char* part : {"logits", "predictions.bias"}) {
    const bool of_layer = std::string_view(part) == "logits";
    const std::string bias = of_layer ? own + ".bias" : run_.kind().module(part);
    if (!run_.has(bias) && !needs_bias(part)) continue;
    const Index words = parameters.find("transposed") != nullptr
                            ? run_.trace_.value("token_table").rows()
                            : width(inputs.back());
    inputs.push_back(record_.input("b_vocabulary", run_.weight(bias, 1, words)));
    break;
  }
  const ModelDraft& model = *run_.draft().model;
  const bool by_root = run_.kind().root_logits && parameters.find("transposed") != nullptr;
  const double usual = by_root ? std::sqrt(static_cast<double>(width(x))) : 1.0;
  const double divisor = model.logits_scaling.value_or(usual);
  int changes = (divisor != 1.0 ? 1 : 0) + (model.logits_softcap ? 1 : 0), raw = 0;
  const auto word = [&] {  // raw_logits, raw_logits2, logits
    if (changes-- == 0) return std::string("logits");
    return "raw_logits" + (raw++ == 0 ? std::string() : std::to_string(raw));
  };
  std::string made = record_(word(), ops::linear, inputs, parameters);
  if (divisor != 1.0) made = record_(word(), ops::scale, {made}, {{"factor", 1.0 / divisor}});
  if (model.logits_softcap)
    made = record_(word(), ops::softcap, {made}, {{"cap", *model.logits_softcap}});
  return made;
}

std::string ModelPart::logits_of_vocabulary(const std::string& x) {
  const auto& prediction = run_.problem_.prediction;
  if (!prediction || !prediction->to_words) return "";
  check_vocabulary(width(x), *prediction, run_.complaints_);
  return run_.complaints_.any() ? "" : record_logits(record_, *prediction->to_words, x);
}

void ModelPart::predict(const std::string& logits) {
  const auto& prediction = run_.problem_.prediction;
  const std::vector<Index> labels = prediction ? prediction->labels : std::vector<Index>();
  if (logits.empty()) {
    if (labels.empty() || run_.complaints_.any()) return;
    const bool ids = run_.kind().reads_ids();
    run_.complaints_.add(
        "missing-key", "/labels",
        ids ? "labels need logits, for which these weights have no layer"
            : "labels need a vocabulary",
        ids ? "Give weights with the layer that makes logits, or leave out \"labels\"."
            : kAddVocabulary);
    return;
  }
  const Index words = width(logits);
  const auto most = std::max_element(labels.begin(), labels.end());
  if (most != labels.end() && *most >= words) {
    run_.complaints_.add("out-of-range", "/labels",
                         filled("there is no word {}: the model has {}", *most, words),
                         filled("Give labels from 0 to {}.", words - 1));
    return;
  }
  record_prediction(record_, labels, logits, run_.problem_.dtype);
}

}  // namespace attn
