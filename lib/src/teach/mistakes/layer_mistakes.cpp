// Mistakes in the layers of whole models: residuals and feed-forward networks.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

constexpr const char* kResiduals[] = {"residual1", "residual2", "residual3"};
constexpr const char* kLinears[] = {"linear1", "linear2", "linear3"};

/// Changes of each residual alone, and of all.
template <typename F>
Recipes of_residuals(const Wiring& w, F change) {
  Recipes recipes;
  Recipe all;
  for (const char* id : kResiduals) {
    if (!w.has(id)) continue;
    const Recipe one = change(*w.find(id));
    if (one.empty()) continue;
    recipes.push_back(one);
    all.insert(all.end(), one.begin(), one.end());
  }
  if (recipes.size() > 1) recipes.push_back(all);
  return recipes;
}

Recipes without_summand(const Wiring& w) {
  Recipes recipes;
  for (const char* kept : {"{1}", "{0}"}) {  // without what comes in, without the branch
    for (Recipe& each : of_residuals(
             w, [&](const Step& step) { return Recipe{instead(step.id, "copy", {kept})}; }))
      recipes.push_back(std::move(each));
  }
  return recipes;
}

/// The norm of what comes into a residual; nullptr if it is not before the branch.
const Step* norm_before(const Wiring& w, const Step& residual) {
  for (const Step& step : w.truth().steps) {
    if (is_norm(step) && step.inputs[0] == residual.inputs[0]) return &step;
  }
  return nullptr;
}

/// The normed input is added in place of the input.
Recipes from_norm(const Wiring& w) {
  return of_residuals(w, [&](const Step& step) -> Recipe {
    const Step* norm = norm_before(w, step);
    if (norm == nullptr) return {};
    return {from(step.id, {norm->id, "{1}"})};
  });
}

/// The feed-forward network gets what the layer gets, through its own norm or the first one.
Recipes parallel(const Wiring& w) {
  if (!w.has("residual1") || !w.has("norm1") || !w.has("norm2") || !w.has("linear1")) return {};
  const std::string& x = w.find("residual1")->inputs[0];
  if (w.find("norm1")->inputs[0] != x || w.find("linear1")->inputs[0] != "norm2") return {};
  Recipe own{with("norm2", {})}, shared;
  own[0].inputs = {x};
  for (const std::string& other : w.find("norm2")->inputs) {
    if (other != w.find("norm2")->inputs[0]) own[0].inputs.push_back(other);
  }
  for (const char* id : {"linear1", "linear3"}) {
    if (!w.has(id)) continue;
    std::vector<std::string> inputs = w.find(id)->inputs;
    inputs[0] = "norm1";
    shared.push_back(from(id, std::move(inputs)));
  }
  return {own, shared};
}

Recipes other_activation(const Wiring& w) {
  if (!w.has("activation")) return {};
  Recipes recipes;
  for (const char* name : {"gelu", "gelu_tanh", "relu", "silu", "copy"}) {
    if (!w.made_by("activation", name)) recipes.push_back({instead("activation", name)});
  }
  return recipes;
}

Recipes gate_swapped(const Wiring& w) {
  if (!w.has("linear1") || !w.has("linear3") || !w.has("gate")) return {};
  std::vector<std::string> one = w.find("linear1")->inputs, other = w.find("linear3")->inputs;
  std::swap(one, other);
  Recipes recipes{{from("linear1", std::move(one)), from("linear3", std::move(other))}};
  recipes.push_back({from("activation", {"linear3"}), from("gate", {"activation", "linear1"})});
  return recipes;
}

/// The activation alone, and the other linear layer alone.
Recipes gate_missing(const Wiring& w) {
  if (!w.has("gate")) return {};
  return {{skipped("gate")}, {instead("gate", "copy", {"{1}"})}};
}

/// The chosen experts' weights divided by their sum, or not; all experts with the weights of their
/// scores; the factor of the chosen left out; one expert more, or less.
Recipes experts_otherwise(const Wiring& w) {
  if (!w.made_by("router_weights", "choose_experts")) return {};
  const Parameters& p = w.find("router_weights")->parameters;
  const auto changed = [](const Parameters& parameters) {
    return Recipe{with("router_weights", parameters)};
  };
  Recipes recipes{changed({{"renormalize", !p.flag("renormalize")}}),
                  {instead("router_weights", "copy", {"{0}"})}};
  if (p.find("factor") != nullptr) recipes.push_back(changed({{"factor", 1.0}}));
  const Index chosen = p.count("top_k"), all = w.find("router_weights")->value.cols();
  for (const Index other : {chosen - 1, chosen + 1})
    if (other > 0 && other < all) recipes.push_back(changed({{"top_k", other}}));
  return recipes;
}

/// A bias left out: of each linear layer alone, and of all.
Recipes without_linear_bias(const Wiring& w) {
  Recipes recipes;
  Recipe all;
  for (const char* id : kLinears) {
    if (!w.made_by(id, "linear") || w.find(id)->inputs.size() < 3) continue;
    all.push_back(from(id, {"{0}", "{1}"}));
    recipes.push_back({all.back()});
  }
  if (all.size() > 1) recipes.insert(recipes.begin(), std::move(all));
  return recipes;
}

/// The weights of two norms of a layer exchanged.
Recipes norms_exchanged(const Wiring& w) {
  if (!w.has("norm1") || !w.has("norm2")) return {};
  std::vector<std::string> one = w.find("norm1")->inputs, other = w.find("norm2")->inputs;
  std::swap(one[0], other[0]);
  return {{from("norm1", std::move(other)), from("norm2", std::move(one))}};
}

/// Weights as another library stores them: each alone, and all.
Recipes linears_transposed(const Wiring& w) {
  Recipes recipes;
  Recipe all;
  for (const char* id : kLinears) {
    if (!w.made_by(id, "linear")) continue;
    const Step& weight = w.truth().input(*w.find(id), 1);
    if (weight.value.rows() != weight.value.cols()) continue;
    const Parameters& p = w.find(id)->parameters;
    const bool turned = p.find("transposed") != nullptr && p.flag("transposed");
    all.push_back(with(id, {{"transposed", !turned}}));
    recipes.push_back({all.back()});
  }
  if (all.size() > 1) recipes.push_back(std::move(all));
  return recipes;
}

constexpr const char* kLayerPage = "models";

constexpr std::array kLayerRows = {
    MistakeRow{.words = {"residual.missing", "summand left out",
                         "One summand of a residual is left out: what came in, or what was made "
                         "of it.",
                         "Which two matrices does a residual add?", kLayerPage},
               .variants = without_summand,
               .yields_to = "layer.order",
               .part = PartKind::Layer},
    MistakeRow{
        .words = {"residual.from_norm", "normed input added",
                  "The residual adds the normed input instead of the input itself.",
                  "Which matrix goes around the branch, and which one goes into it?", kLayerPage},
        .variants = from_norm,
        .part = PartKind::Layer},
    MistakeRow{.words = {"residual.parallel", "branches side by side",
                         "Attention and the feed-forward network get the same input; here the "
                         "second must get the sum after the first.",
                         "What does the feed-forward network read: what attention read, or what it "
                         "left?",
                         kLayerPage},
               .variants = parallel,
               .part = PartKind::Layer},
    MistakeRow{.words = {"activation.other", "another activation",
                         "The feed-forward network has another activation.",
                         "Which activation does the configuration name, and which variant of it?",
                         kLayerPage},
               .variants = other_activation,
               .part = PartKind::Layer},
    MistakeRow{.words = {"gate.swapped", "gate and up exchanged",
                         "The gate and the other linear layer are exchanged.",
                         "Which of the two linear layers goes through the activation?", kLayerPage},
               .variants = gate_swapped,
               .part = PartKind::Layer},
    MistakeRow{.words = {"gate.missing", "gate left out",
                         "The activation is not multiplied by the other linear layer, or that "
                         "layer goes on without its gate.",
                         "Which two matrices does the gate multiply?", kLayerPage},
               .variants = gate_missing,
               .part = PartKind::Layer},
    MistakeRow{
        .words = {"experts.order", "experts weighed otherwise",
                  "Top-k and softmax are exchanged: the weights of the chosen experts are not "
                  "divided by their sum, or are by mistake; all experts count; or their number or "
                  "factor is another.",
                  "What comes first in this router: the choice, or softmax? And do the weights of "
                  "the chosen add up to 1?",
                  kLayerPage},
        .variants = experts_otherwise,
        .part = PartKind::Layer},
    MistakeRow{
        .words = {"linear.transposed", "weights not transposed",
                  "The weights of the feed-forward network are transposed: Conv1D stores "
                  "in × out, Linear out × in.",
                  "Does the library that made this file store in × out, or out × in?", kLayerPage},
        .variants = linears_transposed,
        .part = PartKind::Layer},
    MistakeRow{
        .words = {"linear.bias_missing", "bias left out",
                  "A linear layer of the feed-forward network adds no bias.",
                  "What is added after each product of the feed-forward network?", kLayerPage},
        .variants = without_linear_bias,
        .part = PartKind::Layer},
    MistakeRow{.words = {"norm.swapped", "norms exchanged",
                         "The weights of two norms of a layer are exchanged.",
                         "Which norm is before attention, whatever its name?", kLayerPage},
               .variants = norms_exchanged,
               .part = PartKind::Layer},
};

}  // namespace

std::span<const MistakeRow> layer_mistakes() { return kLayerRows; }

}  // namespace attn
