// What a model predicts: a score for every word, probabilities, and the loss.
#include <algorithm>

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
  for (const std::string& bias : {own + ".bias", std::string("cls.predictions.bias")}) {
    if (!run_.has(bias)) continue;
    const Index words = parameters.find("transposed") != nullptr
                            ? run_.trace_.value("token_table").rows()
                            : width(inputs.back());
    inputs.push_back(record_.input("b_vocabulary", run_.weight(bias, 1, words)));
    break;
  }
  return record_("logits", ops::linear, inputs, parameters);
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
    const bool ids = run_.kind().input == ModelInput::Ids;
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
