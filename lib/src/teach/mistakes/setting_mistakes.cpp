// Mistakes in what the layers of a whole model do otherwise, and in what becomes of its logits.
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

Recipes logits_uncapped(const Wiring& w) {
  if (!w.made_by("logits", "softcap")) return {};
  return {{instead(".logits", "copy")}};
}

/// One attention of a stack, and the steps and the given that its layer's settings make.
struct Attention {
  const Scope* scope;
  ModelPlace place;
  std::string mask;  ///< an id; empty: none
  const Step *q, *k, *scores;

  bool same_mask(const Attention& other) const {
    return scope->settings.masks == other.scope->settings.masks;
  }
  bool same_positions(const Attention& other) const {
    if (!q || !other.q) return q == other.q;
    return q->parameters == other.q->parameters;
  }
};

std::vector<Attention> attentions_of(const Trace& model) {
  std::vector<Attention> all;
  for (const auto& scope : model.scopes) {
    const auto in_scope = [&](const char* word) { return model.find(scope->name + "." + word); };
    const Step* scores = in_scope("scores");
    const ModelPlace place = place_of(*scope);
    if (scores == nullptr || !place.layer) continue;
    const Step* mask = in_scope("mask");
    all.push_back({scope.get(), place, mask ? mask->id : "", in_scope("q_rotated"),
                   in_scope("k_rotated"), scores});
  }
  return all;
}

/// The mask of another layer.
Recipe with_mask(const Trace& model, const Attention& own, const Attention& other) {
  Recipe recipe;
  if (own.same_mask(other) || own.mask.empty() || other.mask.empty()) return recipe;
  const Tensor& theirs = model.value(other.mask);
  if (theirs.shape() == model.value(own.mask).shape()) return {replaced("." + own.mask, theirs)};
  for (const Step& step : model.steps) {
    std::vector<std::string> inputs = step.inputs;
    std::replace(inputs.begin(), inputs.end(), own.mask, other.mask);
    if (inputs != step.inputs) recipe.push_back(from("." + step.id, in_whole(std::move(inputs))));
  }
  return recipe;
}

/// Queries and keys rotated as in another layer, or not at all.
Recipe with_positions(const Attention& own, const Attention& other) {
  if (own.same_positions(other)) return {};
  if (!other.q) return {instead("." + own.q->id, "copy"), instead("." + own.k->id, "copy")};
  if (own.q)
    return {with("." + own.q->id, other.q->parameters), with("." + own.k->id, other.k->parameters)};
  Rewiring change = from("." + own.scores->id, {"q_rotated", "k_rotated"});
  change.before = {{"q_rotated", other.q->operation, {"{0}"}, other.q->parameters},
                   {"k_rotated", other.k->operation, {"{1}"}, other.k->parameters}};
  return {std::move(change)};
}

void append(Recipe& recipe, Recipe more) {
  recipe.insert(recipe.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

/// Every layer with the settings of one; those that are alike with those of another kind; two kinds
/// exchanged; and the same with masks or positions alone.
Recipes other_settings_of_layers(const Wiring& w) {
  const std::vector<Attention> all = attentions_of(w.truth());
  std::vector<const Attention*> kinds;
  for (const Attention& each : all) {
    const auto known = [&](const Attention* kind) {
      return kind->same_mask(each) && kind->same_positions(each);
    };
    if (std::none_of(kinds.begin(), kinds.end(), known)) kinds.push_back(&each);
  }
  const auto is_like = [](const Attention& one, const Attention& kind) {
    return one.same_mask(kind) && one.same_positions(kind);
  };
  Recipes recipes;
  const auto add = [&](auto other_of, const std::string& words) {
    Recipe masks, positions, both;
    for (const Attention& each : all) {
      const Attention& other = other_of(each);
      append(masks, with_mask(w.truth(), each, other));
      append(positions, with_positions(each, other));
    }
    append(both, masks);
    append(both, positions);
    const bool differs = !masks.empty() && !positions.empty();
    for (Recipe* recipe : {&both, differs ? &masks : nullptr, differs ? &positions : nullptr}) {
      if (recipe == nullptr || recipe->empty()) continue;
      recipe->front().words = words;
      recipes.push_back(std::move(*recipe));
    }
  };
  const auto number = [](const Attention& each) { return std::to_string(*each.place.layer); };
  if (kinds.size() < 2) return recipes;
  for (const Attention* one : kinds) {
    add([&](const Attention&) -> const Attention& { return *one; },
        "Every layer has the settings of layer " + number(*one) + ".");
    for (const Attention* other : kinds) {
      if (other <= one) continue;
      add(
          [&](const Attention& each) -> const Attention& {
            return is_like(each, *one) ? *other : is_like(each, *other) ? *one : each;
          },
          "Layers like " + number(*one) + " and like " + number(*other) + " are exchanged.");
    }
  }
  return recipes;
}

constexpr const char* kSettingPage = "models";

constexpr std::array kSettingRows = {
    MistakeRow{.words = {"logits.softcap", "logits not bounded",
                         "The logits are used as the last layer makes them, without the softcap.",
                         "What does this model do between its last layer and the probabilities?",
                         kSettingPage},
               .variants = logits_uncapped,
               .part = PartKind::Whole},
    MistakeRow{.words = {"layer.settings", "window or positions of another layer",
                         "A layer has the window, the base or the scaling of another layer.",
                         "Which layers of this model have a window, and which know positions?",
                         kSettingPage},
               .variants = other_settings_of_layers,
               .part = PartKind::Whole},
};

}  // namespace

std::span<const MistakeRow> setting_mistakes() { return kSettingRows; }

}  // namespace attn
