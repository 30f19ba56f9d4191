// Chooses the numbers of a large problem that stay in memory.
#include "options/kept_numbers.hpp"

#include <algorithm>

namespace attn::app {
namespace {

bool shows_weights(const Step& step) {
  const StepRole role = step.info().role;
  return role == StepRole::Weights || role == StepRole::Mask || role == StepRole::MaskedScores ||
         role == StepRole::KeptQueries;
}

template <typename Wanted>
Ids chosen(const Trace& outline, Wanted wanted) {
  Ids ids;
  for (const StepList* part : {&outline.steps, &outline.givens}) {
    for (const Step& step : *part) {
      if (wanted(step)) ids.insert(step.id);
    }
  }
  return ids;
}

}  // namespace

Ids all_numbers(const Trace& outline) {
  return chosen(outline, [](const Step&) { return true; });
}

Ids numbers_of(const Trace& outline, const std::vector<const Step*>& shown) {
  const bool marks = std::any_of(shown.begin(), shown.end(),
                                 [](const Step* step) { return step->info().is_pairwise(); });
  const bool biased = outline.first_of(StepRole::Bias, outline.attention()) != nullptr;
  const bool filled = outline.attention().settings.fill_is_finite();
  Ids ids = chosen(outline, [&](const Step& step) {
    const ModelPlace own = place_of(*step.scope);
    const auto same = [&](const Step* each) { return place_of(*each->scope).same_layer(own); };
    if (!outline.is_model())  // masks say which cells are hidden; a bias of -inf does, too
      return !step.info().is_pairwise() || step.is_given() || (filled && shows_weights(step)) ||
             (marks && biased && step.info().role == StepRole::MaskedScores);
    return !own.layer || (!step.is_no_step() && std::any_of(shown.begin(), shown.end(), same)) ||
           shows_weights(step);
  });
  for (const Step* step : shown) {
    ids.insert(step->id);
    if (outline.is_model()) ids.insert(step->inputs.begin(), step->inputs.end());
  }
  return ids;
}

Ids numbers_in_file(const Trace& outline, const std::vector<const Step*>& written) {
  Ids ids;
  for (const Step* step : written) {
    ids.insert(step->id);
    for (const std::string& input : step->inputs) {
      if (outline.at(input).is_no_step()) ids.insert(input);
    }
  }
  return ids;
}

Ids numbers_of_weights(const Trace& outline) { return chosen(outline, shows_weights); }

Ids numbers_of_probabilities(const Trace& outline) {
  return chosen(outline,
                [](const Step& step) { return step.info().role == StepRole::Probabilities; });
}

Ids numbers_of_summary(const Trace& outline) {
  return chosen(outline, [](const Step& step) {
    return shows_weights(step) || (!step.is_no_step() && !step.info().is_pairwise());
  });
}

Ids numbers_of_summary(const Trace& outline, const std::vector<const Step*>& shown) {
  Ids ids = chosen(outline, [&](const Step& step) {  // which keys a query sees
    return shows_weights(step) && std::any_of(shown.begin(), shown.end(), [&](const Step* each) {
             return each->info().role == StepRole::Weights && each->scope == step.scope;
           });
  });
  for (const Step* step : shown) ids.insert(step->id);
  return ids;
}

}  // namespace attn::app
