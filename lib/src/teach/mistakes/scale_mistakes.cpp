// Mistakes in the scale of the scores.
#include <array>
#include <cmath>

#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

/// The scores times a factor that is not the right one.
Recipes factor(const Wiring& w, double wrong) {
  if (!w.made_by("scaled_scores", "scale")) return {};
  if (std::abs(w.settings().scale.number - wrong) < 1e-12 * wrong) return {};
  return {{with("scaled_scores", {{"factor", wrong}})}};
}

Recipes root_of(const Wiring& w, Index size) {
  return factor(w, 1.0 / std::sqrt(static_cast<double>(size)));
}

Recipes without_scale(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale")) return {};
  return {{skipped("scaled_scores")}};
}

Recipes of_model(const Wiring& w) {
  return w.settings().d_model ? root_of(w, *w.settings().d_model) : Recipes{};
}

Recipes of_width(const Wiring& w) {
  const Settings& s = w.settings();
  return s.heads > 1 && s.d_model != s.heads * s.d_k ? root_of(w, s.heads * s.d_k) : Recipes{};
}

Recipes of_heads(const Wiring& w) {
  return w.settings().heads > 1 ? root_of(w, w.settings().heads) : Recipes{};
}

Recipes of_tokens(const Wiring& w) { return root_of(w, w.settings().n_keys); }

/// Divided by d_k, or by √d_k twice.
Recipes by_d_k(const Wiring& w) {
  return factor(w, w.settings().scale.number * w.settings().scale.number);
}

Recipes multiplied(const Wiring& w) { return factor(w, 1.0 / w.settings().scale.number); }

Recipes scaled_after_softmax(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale") || !w.has("weights")) return {};
  return {{skipped("scaled_scores"),
           instead("weights", "mistaken_softmax", {w.softmax_input()},
                   {{"way", "scaled_after"}, {"factor", w.settings().scale.number}})}};
}

constexpr const char* kScalePage = "why";

constexpr std::array kScaleRows = {
    MistakeRow{{"scale.missing", "scores not scaled", "The scores are not divided by √d_k.",
                "What happens to the scores between Q·Kᵀ and softmax?", kScalePage},
               without_scale},
    MistakeRow{{"scale.d_model", "scaled by √d_model",
                "The scores are divided by √d_model instead of √d_k; d_model is the width of X.",
                "How long are the two rows whose dot product is a score?", kScalePage},
               of_model},
    MistakeRow{{"scale.width", "scaled by √(heads·d_k)",
                "The scores are divided by √(heads·d_k), the width of all heads, instead of √d_k.",
                "How many columns does a single head have?", kScalePage},
               of_width},
    MistakeRow{{"scale.heads", "scaled by √heads",
                "The scores are divided by the square root of the number of heads instead of √d_k.",
                "How many products are added up in one score?", kScalePage},
               of_heads},
    MistakeRow{{"scale.tokens", "scaled by √tokens",
                "The scores are divided by the square root of the number of keys instead of √d_k.",
                "Should the scale change when the sentence gets longer?", kScalePage},
               of_tokens},
    MistakeRow{{"scale.d_k", "scaled by d_k",
                "The scores are divided by d_k instead of √d_k, or by √d_k twice.",
                "Where is the square root, and how many times do you divide?", kScalePage},
               by_d_k},
    MistakeRow{{"scale.multiplied", "multiplied by √d_k",
                "The scores are multiplied by √d_k instead of divided by it.",
                "Should scaling make the scores larger or smaller?", kScalePage},
               multiplied},
    MistakeRow{{"scale.after_softmax", "weights scaled instead of scores",
                "The scale is applied after softmax, so the rows of weights no longer add up to 1.",
                "What should each row of weights add up to?", kScalePage},
               scaled_after_softmax},
};

}  // namespace

std::span<const MistakeRow> scale_mistakes() { return kScaleRows; }

}  // namespace attn
