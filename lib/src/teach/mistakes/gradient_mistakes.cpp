// Mistakes in gradients that are worked out by hand. The computation forwards is right.
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "attn/phrases.hpp"
#include "core/attention/gradient_steps.hpp"
#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

bool makes(const Step& step, const char* operation) {
  return step.operation->name == std::string_view(operation);
}

/// The gradient of what softmax works on, if it is made in one step; else nullptr.
const Step* softmax_gradient_of(const Wiring& w) {
  const std::string id = w.softmax_input() + ".grad";
  return w.made_by(id.c_str(), "softmax_gradient") ? w.find(id.c_str()) : nullptr;
}

/// A ∘ ∂A, and A ∘ (1 − A) ∘ ∂A: the diagonal of softmax's derivative alone.
Recipes without_row_sum(const Wiring& w) {
  const Step* step = softmax_gradient_of(w);
  if (step == nullptr) return {};
  const std::string one = step->id + "1", two = step->id + "2", three = step->id + "3";
  Rewiring diagonal = instead(step->id, "multiply_elements", {three, "{1}"});
  diagonal.before = {{one, find_operation("multiply_elements"), {"{0}", "{1}"}},
                     {two, find_operation("scale"), {one}, {{"factor", -1.0}}},
                     {three, find_operation("add"), {"{0}", two}}};
  diagonal.words = "It is A ∘ (1 − A) ∘ ∂L/∂A: as if a score changed its own weight alone.";
  return {{instead(step->id, "multiply_elements", {"{0}", "{1}"})}, {std::move(diagonal)}};
}

/// The gradient of the scores without the factor, with it twice, and divided by it.
Recipes scaled_otherwise(const Wiring& w) {
  Recipes recipes;
  for (const Step& step : w.truth().steps) {
    if (!makes(step, "scale") || step.inputs[0] != "scaled_scores.grad") continue;
    const double factor = step.parameters.number("factor");
    recipes.push_back({skipped(step.id)});
    const std::pair<double, const char*> others[] = {
        {factor * factor, "The factor is there twice."},
        {1 / factor, "The gradient is divided by the factor."}};
    for (const auto& [other, words] : others) {
      Rewiring& change = recipes.emplace_back().emplace_back(with(step.id, {{"factor", other}}));
      change.words = words;
    }
  }
  return recipes;
}

/// A·B in place of Aᵀ·B and A·Bᵀ, and Aᵀ·B in place of A·B, where the result has the same shape.
Recipes transposed_otherwise(const Wiring& w) {
  Recipes recipes;
  const auto add = [&](Rewiring change, const char* words) {
    change.words = filled(words, change.step);
    recipes.push_back({std::move(change)});
  };
  for (const Step& step : w.truth().steps) {
    if (!is_gradient(step) || step.inputs.size() < 2) continue;
    const std::vector<const Tensor*> in = w.truth().inputs(step);
    const auto is_square = [&](std::size_t i) { return in[i]->rows() == in[i]->cols(); };
    const Shape &own = step.value.shape(), &first = in[0]->shape();
    const bool apart = own.batch == first.batch && own.heads == first.heads;
    constexpr const char* kMissing = "A transpose is missing in {}.";
    if (makes(step, "transposed_multiply") && is_square(0) && apart) {
      add(instead(step.id, "multiply"), kMissing);
    } else if (makes(step, "multiply") && is_square(0)) {
      add(with(step.id, {{"transposed", true}}), "{} has a transpose too many.");
    } else if (makes(step, "multiply_transposed") && is_square(1)) {
      add(instead(step.id, "multiply"), kMissing);
    } else if (makes(step, "add_products") && is_square(1) && !w.has((step.id + "1").c_str())) {
      Rewiring change = instead(step.id, in.size() == 2 ? "multiply" : "add");
      for (std::size_t i = 0; i < in.size() && in.size() > 2; i += 2) {
        const std::string part = step.id + std::to_string(i / 2 + 1);
        const std::string a = "{" + std::to_string(i) + "}", b = "{" + std::to_string(i + 1) + "}";
        change.before.push_back({part, find_operation("multiply"), {a, b}});
        change.inputs.push_back(part);
      }
      add(std::move(change), kMissing);
    }
  }
  return recipes;
}

/// The mask forgotten on the way back: in the weights that are computed once more there, for
/// softmax and the values or softmax alone; or only where the fill would stop the gradient.
Recipes hidden_keys_too(const Wiring& w) {
  Recipes recipes;
  const Step* masked = w.find("masked_scores");
  if (masked == nullptr) return recipes;
  const std::string stopped = masked->inputs[0] + ".grad";
  Recipe fill;
  if (w.made_by(stopped.c_str(), "multiply_elements")) fill.push_back(skipped(stopped));
  const Step *softmax = softmax_gradient_of(w), *mixture = w.mixture();
  if (softmax != nullptr && mixture != nullptr && softmax->id == "masked_scores.grad" &&
      masked->inputs.size() < 3) {
    Rewiring change = from(softmax->id, {"{0}", "weights1"});
    change.before = {{"weights1",
                      find_operation("softmax"),
                      {masked->inputs[0]},
                      w.find("weights")->parameters}};
    Recipe alone = fill;
    alone.push_back(std::move(change));
    Recipe values = alone;
    values.push_back(from(mixture->inputs[1] + ".grad", {"weights1", "{1}"}));
    recipes = {std::move(values), std::move(alone)};
  }
  if (!fill.empty()) recipes.push_back(std::move(fill));
  return recipes;
}

/// Keys and values get the mean of their query heads' gradients, or one of them.
Recipes one_of_group(const Wiring& w) {
  const auto heads = static_cast<double>(w.settings().heads);
  Recipe mean, first, last;
  for (const Step& step : w.truth().steps) {
    if (!makes(step, "transposed_multiply") || !step.value.shape().heads) continue;
    const double size = heads / static_cast<double>(step.value.heads());
    if (size <= 1) continue;
    const bool is_second = is_gradient(w.truth().input(step, 1));
    const std::string part = step.inputs[is_second ? 1 : 0] + "1";
    Rewiring change = from(step.id, {is_second ? "{0}" : part, is_second ? part : "{1}"});
    change.before = {
        {part, find_operation("scale"), {is_second ? "{1}" : "{0}"}, {{"factor", 1 / size}}}};
    mean.push_back(std::move(change));
    first.push_back(with(step.id, {{"only", std::string("first")}}));
    last.push_back(with(step.id, {{"only", std::string("last")}}));
  }
  if (mean.empty()) return {};
  mean.front().words = "It is their mean.";
  first.front().words = "It is the gradient of the first head of each group.";
  last.front().words = "It is the gradient of the last head of each group.";
  return {std::move(mean), std::move(first), std::move(last)};
}

/// Each share alone, and all but one.
Recipes some_shares(const Wiring& w) {
  const Step& sum = w.truth().steps.back();
  const std::size_t width = makes(sum, "add") ? 1 : 2, count = sum.inputs.size() / width;
  const auto keep = [&](auto is_kept) {
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < sum.inputs.size(); ++i) {
      if (is_kept(i / width)) kept.push_back("{" + std::to_string(i) + "}");
    }
    const bool copies = kept.size() == 1;
    return Recipe{copies ? instead(sum.id, "copy", std::move(kept))
                         : from(sum.id, std::move(kept))};
  };
  Recipes recipes;
  for (const std::size_t one : {std::size_t{0}, count - 1})
    recipes.push_back(keep([=](std::size_t i) { return i == one; }));
  for (std::size_t one = 0; count > 2 && one < count; ++one)
    recipes.push_back(keep([=](std::size_t i) { return i != one; }));
  return recipes;
}

constexpr const char* kGradientPage = "gradients";

constexpr std::array kGradientRows = {
    MistakeRow{
        .words = {"gradient.softmax_sum", "row sum forgotten in softmax's gradient",
                  "The gradient of the scores lacks the row sum: it is A ∘ ∂L/∂A alone, although a "
                  "score changes all weights of its row.",
                  "If one weight of a row grows, what happens to the others?", kGradientPage},
        .variants = without_row_sum,
        .part = PartKind::Backward},
    MistakeRow{
        .words = {"gradient.scale", "scale wrong in the gradient of the scores",
                  "The gradient of the scores is not multiplied once by the factor that the scores "
                  "were multiplied by.",
                  "How much does a scaled score change when a score grows by 1?", kGradientPage},
        .variants = scaled_otherwise,
        .part = PartKind::Backward},
    MistakeRow{
        .words = {"gradient.transpose", "transpose forgotten in a gradient",
                  "A gradient is a product in which a factor is transposed that should not be, or "
                  "the reverse.",
                  "Over which index does each factor meet the gradient: queries, keys or columns?",
                  kGradientPage},
        .variants = transposed_otherwise,
        .part = PartKind::Backward},
    MistakeRow{.words = {"gradient.mask", "hidden keys get a gradient",
                         "The way back ignores the mask, so hidden keys get a gradient.",
                         "Can the loss change with a key that no query sees?", kGradientPage},
               .variants = hidden_keys_too,
               .part = PartKind::Backward},
    MistakeRow{.words = {"gradient.kv_heads", "gradients of grouped heads not added up",
                         "A key/value head does not get the sum of its query heads' gradients.",
                         "How many query heads use this key?", kGradientPage},
               .variants = one_of_group,
               .part = PartKind::Backward},
    MistakeRow{.words = {"gradient.residual_branch", "a share of a gradient forgotten",
                         "What is used several times gets the gradient of some of its uses alone.",
                         "Along how many paths does this matrix reach the loss?", kGradientPage},
               .variants = some_shares,
               .part = PartKind::Sum},
};

}  // namespace

std::span<const MistakeRow> gradient_mistakes() { return kGradientRows; }

}  // namespace attn
