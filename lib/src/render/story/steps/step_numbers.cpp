// Numbers the steps and writes their headlines.
#include "render/story/steps/step_numbers.hpp"

#include <algorithm>
#include <string_view>

#include "attn/error.hpp"
#include "attn/language.hpp"
#include "attn/render/formula.hpp"
#include "render/story/steps/step_grids.hpp"

namespace attn {
namespace {

/// `names` with the numbers of steps ("7") replaced by their ids.
std::vector<std::string> ids_of(const std::vector<std::string>& names,
                                const std::vector<const Step*>& numbered) {
  std::vector<std::string> ids = names;
  for (std::string& id : ids) {
    if (is_step_number(id)) id = step_of_number(id, numbered).id;
  }
  return ids;
}

}  // namespace

bool is_step_number(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

const Step& step_of_number(const std::string& number, const std::vector<const Step*>& numbered) {
  const std::size_t n = number.size() < 4 ? std::stoul(number) : 0;
  if (n >= 1 && n <= numbered.size()) return *numbered[n - 1];
  throw Error(ErrorKind::Usage, {{.id = "no-such-step",
                                  .what = "there is no step " + number + ": the steps are 1 to " +
                                          std::to_string(numbered.size()),
                                  .fix = "Write one of these numbers, or an id such as weights."}});
}

std::vector<const Step*> numbered_steps(const Trace& trace, const View& view) {
  return numbered_steps(trace, view.detail == Detail::Full);
}

std::vector<const Step*> shown_steps(const Trace& trace, const View& view) {
  const std::vector<const Step*> all = numbered_steps(trace, view);
  std::vector<const Step*> shown =
      view.steps.empty() ? all : chosen_steps(trace, ids_of(view.steps, all));
  if (!view.layer || !trace.is_model()) return shown;
  check_choice(trace, view);
  const auto elsewhere = [&](const Step* step) {
    return place_of(*step->scope).layer != view.layer;
  };
  for (const std::string& name : view.steps) {
    const std::vector<const Step*> named = chosen_steps(trace, ids_of({name}, all));
    if (!std::all_of(named.begin(), named.end(), elsewhere)) continue;
    throw Error(ErrorKind::Usage,
                {{.id = "no-such-step",
                  .what = "layer " + std::to_string(*view.layer) + " has no step \"" + name + "\"",
                  .fix = "Name a step of that layer, or leave out the layer or the step."}});
  }
  std::erase_if(shown, elsewhere);
  return shown;
}

std::string title_of(const StepInfo& info) {
  if (info.role != StepRole::Gradient) return translated(info.title);
  const std::string title = translated("gradient of {what}", translated(info.forward().title));
  return language_code() == "en" ? info.title : title;
}

namespace {

std::string phrase_in_words(const StepInfo& info) {
  if (info.role != StepRole::Gradient || language_code() == "en") return translated(info.phrase);
  return translated("how the loss changes with {what}", translated(info.forward().title));
}

}  // namespace

std::string phrase_of(const Trace& trace, const Step& step) {
  const StepInfo& info = step.info();
  // Givens have none; of heads that a mistake cuts otherwise, it would not be true.
  const bool is_miscut = step.operation->only_rearranges != nullptr && !step.only_rearranges();
  if (*info.phrase == '\0' || is_miscut) return title_of(info);
  if (info.role != StepRole::MaskedScores) return phrase_in_words(info);
  const auto user = std::find_if(trace.steps.begin(), trace.steps.end(), [&](const Step& other) {
    return std::find(other.inputs.begin(), other.inputs.end(), step.id) != other.inputs.end();
  });
  // Scaled or capped once more before softmax sees them?
  const bool changed = user != trace.steps.end() && user->info().role == StepRole::Plain;
  return translated(changed ? "the scores after bias and mask" : info.phrase);
}

StepHeading heading_of(const Trace& trace, const Step& step,
                       const std::vector<const Step*>& numbered, std::string shape) {
  const auto at = std::find(numbered.begin(), numbered.end(), &step);
  const auto number = static_cast<std::size_t>(at - numbered.begin()) + 1;
  const std::string phrase = phrase_of(trace, step);
  return {at == numbered.end() ? 0 : number,
          numbered.size(),
          step.id,
          formula_in_language(trace, step),
          trace.is_model() ? labelled(step.id, phrase) : phrase,
          std::move(shape)};
}

}  // namespace attn
