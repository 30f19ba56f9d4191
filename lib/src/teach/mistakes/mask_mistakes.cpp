// Mistakes in how a mask acts on the scores.
#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "attn/phrases.hpp"
#include "teach/mistakes/mask_parts.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Nothing hidden, wherever the mask acts.
Recipes without_mask(const Wiring& w) {
  if (!is_masked(w)) return {};
  if (w.has("masked_weights")) return {{skipped("masked_weights")}};
  const bool bias = w.has("bias");
  if (w.has("added_mask"))
    return {{bias ? from("masked_scores", {"{0}", "{1}"}) : skipped("masked_scores")}};
  return {{bias ? instead("masked_scores", "add", {"{0}", "{2}"}) : skipped("masked_scores")}};
}

Recipes masked_after_softmax(const Wiring& w) {
  if (!is_masked_before_softmax(w) || !w.has_softmax()) return {};
  Recipes recipes = without_mask(w);
  recipes[0].push_back(instead("weights", "mistaken_softmax", {w.softmax_input(), "mask"},
                               {{"way", std::string("masked_after")}}));
  return recipes;
}

/// The step that has the fill as a parameter.
const char* filling(const Wiring& w) {
  return w.has("added_mask") ? "added_mask" : "masked_scores";
}

/// Masked scores made by another operation on scores and mask.
Recipes acting(const Wiring& w, const char* operation) {
  if (!is_masked_before_softmax(w) || w.has("bias")) return {};
  return {{instead("masked_scores", operation, {"{0}", "mask"})}};
}

/// The mask of 0s and 1s added, or its complement, which is 1 where a key is hidden.
Recipes added_as_is(const Wiring& w) {
  Recipes recipes = acting(w, "add");
  if (recipes.empty()) return recipes;
  const Tensor& mask = w.find("mask")->value;
  Recipe other = other_mask(w, [&](const Cell& cell) { return mask.at(cell) == 0.0; });
  other.insert(other.end(), recipes[0].begin(), recipes[0].end());
  recipes.push_back(std::move(other));
  return recipes;
}

/// An example, and the usual fill that is too small for large scores; `estimated` finds any other.
Recipes weak_fill(const Wiring& w) {
  if (!is_masked_before_softmax(w)) return {};
  return {{with(filling(w), {{"fill", -1.0}})}, {with(filling(w), {{"fill", -1e4}})}};
}

Recipes fill_sign(const Wiring& w) {
  if (!is_masked_before_softmax(w)) return {};
  Recipes recipes;
  for (const double fill : {kInfinite, 1e9, -w.find(filling(w))->parameters.number("fill")}) {
    if (fill > 0.0) recipes.push_back({with(filling(w), {{"fill", fill}})});
  }
  return recipes;
}

/// All masks but one.
Recipes part_missing(const Wiring& w) {
  if (!is_masked(w)) return {};
  const MaskParts parts(w.truth());
  Recipes recipes;
  for (std::size_t part = 0; parts.count() > 1 && part < parts.count(); ++part) {
    Recipe recipe =
        other_mask(w, [&](const Cell& cell) { return !parts.hidden_without(part, cell); });
    if (recipe.empty()) continue;
    recipe[0].words = filled("What is missing is the mask \"{}\".", parts.name(part));
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

/// Other weights for queries that see no key, where there are some.
Recipes empty_rows(const Wiring& w) {
  if (!is_masked_before_softmax(w) || !w.made_by("weights", "softmax")) return {};
  const NumberSpan mask = w.find("mask")->value.stored();
  const auto keys = static_cast<std::size_t>(w.settings().n_keys);
  const auto is_zero = [](double x) { return x == 0.0; };
  bool any = false;
  for (std::size_t i = 0; i < mask.size() && !any; i += keys) {
    const auto row = mask.subspan(i, keys);
    any = std::all_of(row.begin(), row.end(), is_zero);
  }
  if (!any) return {};
  Recipes recipes = also_filled(w, {Recipe{}});
  recipes.erase(recipes.begin());  // the right one
  for (const char* policy : {"uniform", "zero"})
    recipes.push_back({with("weights", {{"empty_row", std::string(policy)}})});
  return recipes;
}

constexpr std::array kMaskRows = {
    MistakeRow{{"mask.missing", "mask forgotten",
                "The mask is not applied: hidden keys get weight like any other.",
                "Which keys may each query see?", kMaskPage},
               without_mask},
    MistakeRow{{"mask.after_softmax", "mask applied after softmax",
                "The mask sets weights to 0 after softmax, so rows no longer add up to 1.",
                "Does every row of weights still add up to 1 after masking?", kMaskPage},
               masked_after_softmax},
    MistakeRow{{"mask.multiplied", "scores multiplied by the mask",
                "Multiplying by the mask makes hidden scores 0; e^0 = 1, so they still get weight.",
                "Which score becomes a weight of 0?", kMaskPage},
               [](const Wiring& w) { return acting(w, "multiply_elements"); }},
    MistakeRow{{"mask.added_as_is", "mask of 0s and 1s added",
                "The mask of 0s and 1s is added to the scores, which hides nothing.",
                "Which number must be added to a score to hide it?", kMaskPage},
               added_as_is},
    MistakeRow{{.code = "mask.weak_fill",
                .title = "fill not negative enough",
                .explanation = "Hidden scores are filled with a number that is not negative enough "
                               "to hide them.",
                .hint = "What weight does softmax give to the number you fill in?",
                .see = kMaskPage},
               weak_fill,
               false,
               false,
               "mask.empty_rows softcap.after_mask"},
    MistakeRow{{"mask.empty_rows", "queries without a visible key",
                "A query that sees no key gets NaN, zeros or equal weights (which a finite fill "
                "gives), but this problem asks for other weights.",
                "What can a query attend to if it may not see any key?", kMaskPage},
               empty_rows},
    MistakeRow{{"mask.part_missing", "one of several masks forgotten",
                "Only some of the masks are applied: one of them is missing.",
                "Which masks does the problem ask for, and is each of them applied?", kMaskPage},
               part_missing},
    MistakeRow{{"mask.fill_sign", "fill with the wrong sign",
                "Hidden scores are filled with a large positive number, which draws all attention.",
                "What is e^x for the number that you fill in?", kMaskPage},
               fill_sign},
};

}  // namespace

std::span<const MistakeRow> mask_mistakes() { return kMaskRows; }

}  // namespace attn
