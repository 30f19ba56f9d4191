// Mistakes in the norms of whole models.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "teach/mistakes/mistake_rows.hpp"

namespace attn {
namespace {

/// The norm that a part consists of.
const Step& norm_of(const Wiring& w) { return w.truth().steps.back(); }

bool is_centred(const Step& norm) { return norm.operation->name == std::string_view("layer_norm"); }

Recipes without_norm(const Wiring& w) { return {{skipped(norm_of(w).id)}}; }

double epsilon_of(const Wiring& w) { return norm_of(w).parameters.number("epsilon"); }

Recipes wrongly(const Wiring& w, const char* way, bool centred) {
  return {{instead(norm_of(w).id, "mistaken_norm", {},
                   {{"way", way}, {"centred", centred}, {"epsilon", epsilon_of(w)}})}};
}
Recipes wrongly(const Wiring& w, const char* way) {
  return wrongly(w, way, is_centred(norm_of(w)));
}

/// The other kind of norm, with the same weight. RMSNorm has no bias, unless only the mean was
/// forgotten.
Recipes other_kind(const Wiring& w) {
  const Step& norm = norm_of(w);
  Recipes recipes{{instead(norm.id, is_centred(norm) ? "rms_norm" : "layer_norm", {"{0}", "{1}"},
                           {{"epsilon", epsilon_of(w)}})}};
  if (norm.inputs.size() > 2) recipes.push_back(wrongly(w, "kind", !is_centred(norm)).front());
  return recipes;
}

/// Every epsilon that libraries use, and the right one outside the root.
Recipes other_epsilon(const Wiring& w) {
  Recipes recipes;
  const double right = epsilon_of(w);
  for (const double epsilon : {1e-5, 1e-6, 1e-12, 1e-8, 1e-3, 1e-7, 1e-4, 1e-2, 0.0}) {
    if (std::abs(epsilon - right) > 1e-3 * right)
      recipes.push_back({with(norm_of(w).id, {{"epsilon", epsilon}})});
  }
  recipes.push_back(wrongly(w, "outside").front());
  return recipes;
}

/// The weight plus 1, or minus 1, as some models store it.
Recipes other_offset(const Wiring& w) {
  Recipes recipes;
  const std::string& id = norm_of(w).inputs[1];
  for (const double by : {1.0, -1.0}) {
    Tensor weight = w.truth().value(id);
    for (double& x : weight.edit()) x += by;
    recipes.push_back({replaced(id, std::move(weight))});
  }
  return recipes;
}

/// Without weight, without bias, without both.
Recipes without_norm_weights(const Wiring& w) {
  const Step& norm = norm_of(w);
  Tensor ones = w.truth().value(norm.inputs[1]);
  for (double& x : ones.edit()) x = 1.0;
  const Rewiring unweighted = replaced(norm.inputs[1], std::move(ones));
  if (norm.inputs.size() < 3) return {{unweighted}};
  const Rewiring unbiased = from(norm.id, {"{0}", "{1}"});
  return {{unweighted, unbiased}, {unweighted}, {unbiased}};
}

Recipes inverted_norm(const Wiring& w) { return wrongly(w, "inverted"); }

Recipes other_axis(const Wiring& w) {
  return {wrongly(w, "tokens").front(), wrongly(w, "unbiased").front()};
}

/// The norm after the last layer.
const Step* final_norm(const Wiring& w) {
  const Step* last = nullptr;
  for (const Step& step : w.truth().steps) {
    if (step.local_id() == "norm" && !place_of(*step.scope).layer) last = &step;
  }
  return last;
}

Recipes without_final_norm(const Wiring& w) {
  const Step* norm = final_norm(w);
  if (norm == nullptr) return {};
  return {{skipped("." + norm->id)}};
}

/// One branch of a layer: what comes in, its sum with what was made of it, and the norm before it
/// or after it.
struct Branch {
  const Step *residual, *norm;
  bool norm_first;
};

/// The branches of all layers, in order; none if one of them is not as usual.
std::vector<Branch> branches_of(const Trace& model) {
  std::vector<Branch> branches;
  for (const Step& step : model.steps) {
    if (step.info().role != StepRole::Residual) continue;
    const Step* found = nullptr;
    bool first = false;
    for (const Step& norm : model.steps) {
      if (!is_norm(norm) || norm.scope != step.scope) continue;
      const bool before = norm.inputs[0] == step.inputs[0];
      if (!before && norm.inputs[0] != step.id) continue;
      if (before || found == nullptr) found = &norm;
      first = first || before;
    }
    if (found == nullptr) return {};
    branches.push_back({&step, found, first});
  }
  return branches;
}

/// Norms after the sums instead of before the branches, or the reverse; the last norm may go.
Recipes other_order(const Wiring& w) {
  const std::vector<Branch> branches = branches_of(w.truth());
  if (branches.empty()) return {};
  const bool first = branches.front().norm_first;
  const auto mixed = [&](const Branch& each) { return each.norm_first != first; };
  if (std::any_of(branches.begin(), branches.end(), mixed)) return {};
  std::map<std::string, std::string> stream;  // what carries on in place of a sum or a norm
  std::map<std::string, const Branch*> of;    // the branch of a norm, or of what comes in
  Recipe recipe;
  const auto now = [&](const std::string& id) {
    const auto at = stream.find(id);
    return at == stream.end() ? id : at->second;
  };
  for (const Branch& each : branches) {
    if (first) {
      stream[each.residual->id] = each.norm->id;
      of[each.norm->id] = &each;
    } else {
      stream[each.norm->id] = each.residual->id;
      of[each.residual->inputs[0]] = &each;
    }
  }
  for (const Step& step : w.truth().steps) {
    std::vector<std::string> inputs = step.inputs;
    const bool in_layer = place_of(*step.scope).layer.has_value();
    const auto branch = std::find_if(branches.begin(), branches.end(), [&](const Branch& each) {
      return each.norm == &step || each.residual == &step;
    });
    if (branch != branches.end() && branch->norm == &step) {
      inputs[0] = first ? branch->residual->id : now(branch->residual->inputs[0]);
    } else {
      for (std::string& input : inputs) {
        const auto at = of.find(input);
        const bool of_branch = at != of.end() && in_layer && branch == branches.end();
        if (first && of_branch) {
          input = now(at->second->residual->inputs[0]);
        } else if (!first && of_branch &&
                   place_of(*at->second->norm->scope).same_layer(place_of(*step.scope))) {
          input = at->second->norm->id;
        } else {
          input = now(input);
        }
      }
    }
    if (inputs == step.inputs) continue;
    recipe.push_back(from("." + step.id, in_whole(std::move(inputs))));
  }
  Recipes recipes{recipe};
  if (const Step* last = final_norm(w); last != nullptr && first) {
    recipe.push_back(skipped("." + last->id));
    recipes.push_back(std::move(recipe));
  }
  return recipes;
}

constexpr const char* kNormPage = "models";

constexpr std::array kNormRows = {
    MistakeRow{.words = {"norm.missing", "norm left out", "A norm is left out.",
                         "What brings each row to a common scale before it goes on?", kNormPage},
               .variants = without_norm,
               .yields_to = "norm.final_missing qk_norm.missing",
               .part = PartKind::Norm},
    MistakeRow{.words = {"norm.kind", "the other kind of norm",
                         "LayerNorm is computed where the model has RMSNorm, or the reverse: only "
                         "LayerNorm subtracts the mean.",
                         "Does this model's norm subtract the mean?", kNormPage},
               .variants = other_kind,
               .part = PartKind::Norm},
    MistakeRow{.words = {"norm.order", "norms in the other place",
                         "Norms come after the sums where the model has them before its branches, "
                         "or the reverse.",
                         "Does this model normalise before a branch, or after the sum?", kNormPage},
               .variants = other_order,
               .part = PartKind::Whole},
    MistakeRow{
        .words = {"norm.epsilon", "another epsilon",
                  "The norm adds another epsilon, or adds it outside the root.",
                  "Which epsilon does the configuration give, and where is it added?", kNormPage},
        .variants = other_epsilon,
        .part = PartKind::Norm},
    MistakeRow{.words = {"norm.inverted", "multiplied by the root",
                         "The norm multiplies by the root instead of dividing by it.",
                         "Should a row of large numbers become larger or smaller?", kNormPage},
               .variants = inverted_norm,
               .part = PartKind::Norm},
    MistakeRow{
        .words = {"norm.axis", "norm over other numbers",
                  "Mean and variance are those of a column, over the tokens, or the variance "
                  "is divided by n − 1.",
                  "Which numbers share a mean, and what is their variance divided by?", kNormPage},
        .variants = other_axis,
        .mixes_queries = true,
        .part = PartKind::Norm},
    MistakeRow{.words = {"norm.offset", "weight off by one",
                         "The norm multiplies by 1 + weight where the model has weight, or the "
                         "reverse.",
                         "Is the 1 already in the stored weight?", kNormPage},
               .variants = other_offset,
               .part = PartKind::Norm},
    MistakeRow{
        .words = {"norm.weights_missing", "weight or bias of a norm left out",
                  "The norm is not multiplied by its weight, or its bias is not added.",
                  "What happens to a row after it was brought to a common scale?", kNormPage},
        .variants = without_norm_weights,
        .part = PartKind::Norm},
    MistakeRow{.words = {"norm.final_missing", "last norm left out",
                         "The norm after the last layer is left out.",
                         "What happens between the last layer and the logits?", kNormPage},
               .variants = without_final_norm,
               .part = PartKind::Whole},
};

}  // namespace

std::span<const MistakeRow> norm_mistakes() { return kNormRows; }

}  // namespace attn
