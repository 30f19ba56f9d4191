// Mistakes in the scale of the scores.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "attn/phrases.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {

Recipes scaled_by(const Wiring& w, double wrong) {
  if (w.made_by("scaled_scores", "scale")) {
    if (std::abs(w.settings().scale.number - wrong) < 1e-12 * std::abs(wrong)) return {};
    return {{with("scaled_scores", {{"factor", wrong}})}};
  }
  if (!w.has("scores") || std::abs(wrong - 1.0) < 1e-12) return {};
  for (const char* next : {"capped_scores", "masked_scores", "weights"}) {
    if (!w.has(next)) continue;
    Rewiring scaled = from(next, {"scaled_scores"});
    for (std::size_t i = 1; i < w.find(next)->inputs.size(); ++i)
      scaled.inputs.push_back("{" + std::to_string(i) + "}");
    scaled.before = {{"scaled_scores", find_operation("scale"), {"{0}"}, {{"factor", wrong}}}};
    return {{std::move(scaled)}};
  }
  return {};
}

namespace {

/// `scaled_by`, but only where the scores should be scaled.
Recipes other_factor(const Wiring& w, double wrong) {
  return w.made_by("scaled_scores", "scale") ? scaled_by(w, wrong) : Recipes{};
}

double inverse_root(Index size) { return 1.0 / std::sqrt(static_cast<double>(size)); }

bool is_default(const Wiring& w) {
  return std::abs(w.settings().scale.number - inverse_root(w.settings().d_k)) < 1e-12;
}

Recipes root_of(const Wiring& w, Index size) { return other_factor(w, inverse_root(size)); }

Recipes of_d_k(const Wiring& w) { return scaled_by(w, inverse_root(w.settings().d_k)); }

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

Recipes by_d_k(const Wiring& w) {
  return other_factor(w, 1.0 / static_cast<double>(w.settings().d_k));
}

/// The scale on queries or scores, which are handed in scaled, and once more on the scores. Where
/// it is not 1/√d_k, also the scale squared: otherwise that is `scale.d_k`.
Recipes scaled_twice(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale")) return {};
  const double scale = w.settings().scale.number;
  Recipes recipes;
  if (!is_default(w)) recipes = scaled_by(w, scale * scale);
  for (const std::string id : {"q_rotated", "q_heads", "q", "scores"}) {
    if (!w.has(id.c_str()) || w.find(id.c_str())->is_given()) continue;
    const Step& step = *w.find(id.c_str());
    Rewiring scaled = instead(id, "scale", {id + "1"}, {{"factor", scale}});
    scaled.before = {{id + "1", step.operation, {}, step.parameters}};
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      scaled.before[0].inputs.push_back("{" + std::to_string(i) + "}");
    recipes.push_back({std::move(scaled)});
  }
  return recipes;
}

Recipes multiplied(const Wiring& w) { return other_factor(w, 1.0 / w.settings().scale.number); }

Recipes scaled_after_softmax(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale") || !w.has_softmax()) return {};
  return {{skipped("scaled_scores"),
           instead("weights", "mistaken_softmax", {w.softmax_input()},
                   {{"way", "scaled_after"}, {"factor", w.settings().scale.number}})}};
}

/// Heads padded to the next power of two, and to the next multiple of 8, with the scale of that
/// width; `estimated` finds any other factor.
Recipes of_padded_head(const Wiring& w) {
  const Index d = w.settings().d_k, eights = (d + 7) / 8 * 8;
  const auto power = static_cast<Index>(std::bit_ceil(static_cast<std::size_t>(d)));
  Recipes recipes = root_of(w, power == d ? 2 * d : power);
  if (eights == d || eights == power) return recipes;
  for (Recipe& each : root_of(w, eights)) recipes.push_back(std::move(each));
  return recipes;
}

/// The bias on the other side of the scale: as if it had been added before, or after.
Recipes bias_scaled(const Wiring& w) {
  if (!w.made_by("scaled_scores", "scale") || !w.has("masked_scores")) return {};
  const std::vector<std::string>& inputs = w.find("masked_scores")->inputs;
  const bool before = w.softmax_input() == "scaled_scores";
  const double scale = w.settings().scale.number;
  Rewiring added = from("masked_scores", {});
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool bias = w.find("bias") != nullptr && inputs[i] == w.find("bias")->id;
    const std::string own = "{" + std::to_string(i) + "}";
    added.inputs.push_back(bias ? "bias1" : own);
    if (!bias) continue;
    added.before = {
        {"bias1", find_operation("scale"), {own}, {{"factor", before ? 1.0 / scale : scale}}}};
  }
  return added.before.empty() ? Recipes{} : Recipes{{std::move(added)}};
}

constexpr double kLargestFloat16 = 65504.0;

/// Whether float16 has no number for some of a step that no mask hides.
bool overflows(const Trace& truth, const Step& step) {
  if (step.is_given() || step.info().role == StepRole::MaskedScores || step.is_outline())
    return false;
  const HiddenCells hidden(truth, *step.scope);
  const Shape& shape = step.value.shape();
  for (Index i = 0; i < shape.count(); ++i) {
    const Cell cell = shape.cell_at(i);
    const double size = std::abs(step.value.at(cell));
    if (!(size > kLargestFloat16) || std::isinf(size)) continue;
    if (!step.info().is_pairwise() || !hidden(cell)) return true;
  }
  return false;
}

/// Each step in float16 that is too much for it, and all of them.
Recipes overflowing(const Wiring& w) {
  Recipes recipes;
  Recipe all;
  for (const Step& step : w.truth().steps) {
    if (!overflows(w.truth(), step)) continue;
    const std::string exact = std::string(step.local_id()) + "1";
    Rewiring narrow = instead((w.truth().is_model() ? "." : "") + step.id, "narrow", {exact},
                              {{"dtype", std::string("float16")}});
    narrow.before = {{exact, step.operation, {}, step.parameters}};
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      narrow.before[0].inputs.push_back("{" + std::to_string(i) + "}");
    narrow.words = filled("The largest number of {} is beyond that.", step.id);
    all.push_back(narrow);
    recipes.push_back({std::move(narrow)});
  }
  if (all.size() > 1) recipes.push_back(std::move(all));
  return recipes;
}

/// d_model / heads, where heads have another width.
Recipes of_share(const Wiring& w) {
  const Settings& s = w.settings();
  const Index width = s.d_model.value_or(0);
  const bool other = width % s.heads == 0 && width / s.heads != s.d_k && s.heads > 1;
  return other && width > 0 ? root_of(w, width / s.heads) : Recipes{};
}

constexpr const char* kScalePage = "why";

// Of two that look alike, the one that comes first is named first: the more common one.
constexpr std::array kScaleRows = {
    MistakeRow{{"scale.missing", "scores not scaled", "The scores are not divided by √d_k.",
                "What happens to the scores between Q·Kᵀ and softmax?", kScalePage},
               without_scale},
    MistakeRow{{"scale.d_k", "scaled by d_k",
                "The scores are divided by d_k instead of √d_k, or by √d_k twice.",
                "Where is the square root, and how many times do you divide?", kScalePage},
               by_d_k},
    MistakeRow{{.code = "scale.twice",
                .title = "scaled twice",
                .explanation = "The queries, or the scores as they are given, contain the scale "
                               "already, and are scaled again.",
                .hint = "Who scales: your code, or the function that you call?",
                .see = kScalePage},
               scaled_twice,
               false,
               false,
               "scale.d_k"},
    MistakeRow{{"scale.multiplied", "multiplied by √d_k",
                "The scores are multiplied by √d_k instead of divided by it.",
                "Should scaling make the scores larger or smaller?", kScalePage},
               multiplied},
    MistakeRow{{"scale.after_softmax", "weights scaled instead of scores",
                "The scale is applied after softmax, so the rows of weights no longer add up to 1.",
                kAskForSums, kScalePage},
               scaled_after_softmax},
    MistakeRow{{"scale.default", "the usual scale",
                "The scores are divided by √d_k, but this problem has another scale, or none.",
                "Which scale does the problem ask for?", "json"},
               of_d_k},
    MistakeRow{{"scale.d_model", "scaled by √d_model",
                "The scores are divided by √d_model instead of √d_k; d_model is the width of X.",
                "How long are the two rows whose dot product is a score?", kScalePage},
               of_model},
    MistakeRow{{"scale.width", "scaled by √(heads·d_k)",
                "The scores are divided by √(heads·d_k), the width of all heads, instead of √d_k.",
                "How many columns does a single head have?", kScalePage},
               of_width},
    MistakeRow{{"scale.share", "scaled by √(d_model/heads)",
                "The scores are divided by √(d_model/heads), but here heads have another width.",
                "Where does the configuration say how wide a head is?", kScalePage},
               of_share},
    MistakeRow{{"scale.heads", "scaled by √heads",
                "The scores are divided by the square root of the number of heads instead of √d_k.",
                "How many products are added up in one score?", kScalePage},
               of_heads},
    MistakeRow{{"scale.tokens", "scaled by √tokens",
                "The scores are divided by the square root of the number of keys instead of √d_k.",
                "Should the scale change when the sentence gets longer?", kScalePage},
               of_tokens},
    MistakeRow{{"scale.other", "another scale",
                "The scores are multiplied by another number than the scale of this problem, as "
                "with a padded head or a temperature.",
                "Which number multiplies your scores, and where does it come from?", kScalePage},
               of_padded_head},
    MistakeRow{{"bias.scaled", "bias on the wrong side of the scale",
                "The bias is scaled with the scores but should not be, or the other way round.",
                "Is the bias added before or after the scores are scaled?", kScalePage},
               bias_scaled},
    MistakeRow{.words = {"overflow.float16", "too large for float16",
                         "Numbers go beyond 65504, the largest of float16, and become infinite: "
                         "scores before they are scaled, for example.",
                         "What is the largest number in half precision, and which step goes "
                         "beyond it?",
                         "json"},
               .variants = overflowing,
               .part = PartKind::Whole},
};

}  // namespace

std::span<const MistakeRow> scale_mistakes() { return kScaleRows; }

}  // namespace attn
