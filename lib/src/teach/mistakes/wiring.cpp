// Finds steps by what made them, and writes rewirings: other inputs, operations or parameters.
#include "teach/mistakes/wiring.hpp"

#include <cmath>
#include <string_view>
#include <utility>

namespace attn {

bool Wiring::made_by(const char* word, const char* operation) const {
  const Step* step = find(word);
  return step != nullptr && step->operation->name == std::string_view(operation);
}

bool Wiring::has_softmax() const {
  return made_by("weights", "softmax") || made_by("weights", "divide_rows");
}

std::string Wiring::softmax_input() const {
  if (!has("weights")) return "";
  const Step& weights = truth_.at("weights");
  if (!made_by("weights", "divide_rows")) return weights.inputs.at(0);
  return truth_.input(weights, 0).inputs.at(0);  // softmax in separate steps: E = e^(M − m)
}

const Step* Wiring::mixture() const {
  for (const char* id : {"context", "output"}) {
    if (made_by(id, "multiply")) return find(id);
  }
  return nullptr;
}

const Step* Wiring::to_output() const {
  return made_by("output", "linear") ? find("output") : nullptr;
}

Recipes also_filled(const Wiring& wiring, Recipes recipes) {
  const char* step = wiring.has("added_mask") ? "added_mask" : "masked_scores";
  const bool fills = wiring.made_by(step, "hide") || wiring.made_by(step, "added_mask");
  if (!fills || !std::isinf(wiring.find(step)->parameters.number("fill"))) return recipes;
  const std::size_t count = recipes.size();
  for (std::size_t i = 0; i < count; ++i) {
    Recipe filled = recipes[i], undefined = recipes[i];
    filled.push_back(with(step, {{"fill", -1e9}}));
    undefined.push_back(with("weights", {{"empty_row", std::string("nan")}}));
    recipes.push_back(std::move(filled));
    recipes.push_back(std::move(undefined));
  }
  return recipes;
}

Rewiring instead(const std::string& step, const char* operation, std::vector<std::string> inputs,
                 Parameters parameters) {
  return {.step = step,
          .operation = find_operation(operation),
          .inputs = std::move(inputs),
          .parameters = std::move(parameters)};
}

Rewiring from(const std::string& step, std::vector<std::string> inputs) {
  return {.step = step, .inputs = std::move(inputs)};
}

Rewiring with(const std::string& step, Parameters parameters) {
  return {.step = step, .parameters = std::move(parameters)};
}

std::vector<std::string> in_whole(std::vector<std::string> ids) {
  for (std::string& id : ids) id.insert(0, ".");
  return ids;
}

bool is_norm(const Step& step) {
  const std::string_view operation = step.operation->name;
  return operation == "layer_norm" || operation == "rms_norm" || operation == "l2_norm";
}

Rewiring skipped(const std::string& step) { return instead(step, "copy", {"{0}"}); }

Rewiring replaced(const std::string& step, Tensor value) {
  return {.step = step, .value = std::move(value)};
}

}  // namespace attn
