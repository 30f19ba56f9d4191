// Mistakes that are made once in a whole model: embeddings, the order of layers, logits.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/slices.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

bool is_look_up(const Step& step) { return step.operation->name == std::string_view("look_up"); }

/// The steps that look up the rows of a table of tokens.
std::vector<const Step*> token_rows(const Wiring& w) {
  std::vector<const Step*> found;
  for (const Step& step : w.truth().steps) {
    if (is_look_up(step) && step.inputs[0].ends_with("token_table")) found.push_back(&step);
  }
  return found;
}

/// √d_model too many or too few.
Recipes embeddings_scaled(const Wiring& w) {
  Recipes recipes;
  for (const Step* step : token_rows(w)) {
    const double root = std::sqrt(static_cast<double>(step->value.cols()));
    const bool scaled = step->parameters.find("factor") != nullptr;
    recipes.push_back({with("." + step->id, {{"factor", scaled ? 1.0 : root}})});
  }
  return recipes;
}

/// Ids one too large or too small, and those of the token before or after.
Recipes ids_shifted(const Wiring& w) {
  Recipes recipes;
  for (const Step* step : token_rows(w)) {
    const std::vector<Index>& ids = step->parameters.counts("ids");
    const auto length = static_cast<std::ptrdiff_t>(step->value.rows());
    const auto add = [&](std::vector<Index> other) {
      const bool known = std::all_of(other.begin(), other.end(), [&](Index id) { return id >= 0; });
      if (known && other != ids)
        recipes.push_back({with("." + step->id, {{"ids", std::move(other)}})});
    };
    for (const Index by : {1, -1}) {
      std::vector<Index> other = ids;
      for (Index& id : other) id += by;
      add(std::move(other));
    }
    std::vector<Index> later = ids, earlier = ids;
    for (auto at = ids.begin(); at != ids.end(); at += length) {
      const auto to = at - ids.begin();
      std::copy(at + 1, at + length, later.begin() + to);
      std::copy(at, at + length - 1, earlier.begin() + to + 1);
    }
    add(std::move(later));
    add(std::move(earlier));
  }
  return recipes;
}

Recipes logits_tied(const Wiring& w) {
  if (!w.made_by("logits", "linear") || !w.has("token_table")) return {};
  std::vector<std::string> inputs = w.find("logits")->inputs;
  if (inputs[1] == "token_table") return {};
  inputs[1] = "token_table";
  Rewiring change = from(".logits", in_whole(std::move(inputs)));
  change.parameters = {{"transposed", true}};
  return {{std::move(change)}};
}

/// The layers of one stack.
struct Stack {
  std::string name;
  Index layers = 0;
  bool has(const Step& step, Index layer) const {
    const ModelPlace place = place_of(*step.scope);
    return place.stack == name && place.layer == layer;
  }
};

std::vector<Stack> stacks_of(const Trace& model) {
  std::vector<Stack> stacks;
  for (const Step& step : model.steps) {
    const ModelPlace place = place_of(*step.scope);
    if (!place.layer) continue;
    if (stacks.empty() || stacks.back().name != place.stack) stacks.push_back({place.stack});
    stacks.back().layers = *place.layer + 1;
  }
  return stacks;
}

/// Each layer computed with the weights of another: `order` lists which.
Recipe with_weights(const Trace& model, const Stack& stack, const std::vector<Index>& order) {
  Recipe recipe;
  for (const Step& step : model.steps) {
    const ModelPlace place = place_of(*step.scope);
    if (place.stack != stack.name || !place.layer) continue;
    const Index other = order[static_cast<std::size_t>(*place.layer)];
    if (other == *place.layer) continue;
    const std::string own = stack.name + "." + std::to_string(*place.layer) + ".";
    std::vector<std::string> inputs = step.inputs;
    for (std::string& input : inputs) {
      if (model.at(input).is_no_step() && input.starts_with(own))
        input = stack.name + "." + std::to_string(other) + "." + input.substr(own.size());
    }
    if (inputs == step.inputs) continue;
    recipe.push_back(from("." + step.id, in_whole(std::move(inputs))));
  }
  return recipe;
}

/// What comes after a layer reads what comes before it.
Recipe without_layer(const Trace& model, const Stack& stack, Index layer) {
  std::string before, after;
  for (const Step& step : model.steps) {
    if (!stack.has(step, layer)) continue;
    if (before.empty() && step.info().role == StepRole::Residual) before = step.inputs[0];
    after = step.id;
  }
  Recipe recipe;
  for (const Step& step : model.steps) {
    std::vector<std::string> inputs = step.inputs;
    std::replace(inputs.begin(), inputs.end(), after, before);
    if (inputs == step.inputs || before.empty()) continue;
    recipe.push_back(from("." + step.id, in_whole(std::move(inputs))));
  }
  if (!recipe.empty())
    recipe.front().words = stack.name + "." + std::to_string(layer) + " is skipped.";
  return recipe;
}

/// Layers computed with the weights of others: from the last to the first, all with those of the
/// first or the last, each with those of the one before, neighbours exchanged, 0, 1, 10, 2.
std::vector<std::vector<Index>> other_orders(Index layers) {
  std::vector<Index> right(static_cast<std::size_t>(layers));
  std::iota(right.begin(), right.end(), 0);
  std::vector<std::vector<Index>> orders{{right.rbegin(), right.rend()},
                                         std::vector<Index>(right.size(), 0),
                                         std::vector<Index>(right.size(), layers - 1),
                                         right};
  std::sort(orders[3].begin(), orders[3].end(),
            [](Index a, Index b) { return std::to_string(a) < std::to_string(b); });
  for (std::size_t i = 0; i + 1 < right.size(); ++i) {
    orders.push_back(right);
    std::swap(orders.back()[i], orders.back()[i + 1]);
    orders.push_back(right);
    orders.back()[i + 1] = right[i];
  }
  std::vector<std::vector<Index>> different;
  for (std::vector<Index>& order : orders) {
    const bool is_new = std::find(different.begin(), different.end(), order) == different.end();
    if (is_new && order != right) different.push_back(std::move(order));
  }
  return different;
}

/// Layers skipped, or in another order, in each stack alone and in all.
Recipes layers_in_other_order(const Wiring& w) {
  Recipes recipes;
  std::map<std::vector<Index>, Recipe> in_all;
  const std::vector<Stack> stacks = stacks_of(w.truth());
  for (const Stack& stack : stacks) {
    if (stack.layers < 2) continue;
    for (Index i = 0; i < stack.layers; ++i) recipes.push_back(without_layer(w.truth(), stack, i));
    for (const std::vector<Index>& order : other_orders(stack.layers)) {
      recipes.push_back(with_weights(w.truth(), stack, order));
      Recipe& all = in_all[order];
      all.insert(all.end(), recipes.back().begin(), recipes.back().end());
    }
  }
  if (stacks.size() < 2) return recipes;
  for (auto& [order, recipe] : in_all) recipes.push_back(std::move(recipe));
  return recipes;
}

constexpr const char* kModelPage = "models";

constexpr std::array kModelRows = {
    MistakeRow{.words = {"embeddings.scale", "embeddings scaled otherwise",
                         "The embeddings are multiplied by √d_model although this model does not "
                         "do so, or the reverse.",
                         "Does this model multiply its embeddings by anything?", kModelPage},
               .variants = embeddings_scaled,
               .part = PartKind::Whole},
    MistakeRow{.words = {"ids.shifted", "ids off by one",
                         "Every id is one too large or too small, or is that of the next or the "
                         "previous token.",
                         "Which row of the table belongs to the first token?", kModelPage},
               .variants = ids_shifted,
               .part = PartKind::Whole},
    MistakeRow{
        .words = {"logits.tied", "embedding table in place of lm_head",
                  "The logits are made with the embedding table, but this model has a layer "
                  "of its own for them.",
                  "Does the configuration tie the embeddings to the last layer?", kModelPage},
        .variants = logits_tied,
        .part = PartKind::Whole},
    MistakeRow{.words = {"layer.order", "layers in another order",
                         "A layer is skipped, or computed with the weights of another one.",
                         "In which order are the layers read, and is each of them there once?",
                         kModelPage},
               .variants = layers_in_other_order,
               .part = PartKind::Whole},
};

}  // namespace

std::span<const MistakeRow> model_mistakes() { return kModelRows; }

}  // namespace attn
