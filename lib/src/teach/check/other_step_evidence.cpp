// Numbers that belong to another step, or have those of another step added.
#include <algorithm>
#include <string>
#include <vector>

#include "attn/phrases.hpp"
#include "teach/check/evidence.hpp"

namespace attn {
namespace {

constexpr Index kEnoughCells = 4;  // cells that are no coincidence

/// Whether what an answer holds beyond `less`, or all of it, are the numbers of a matrix of another
/// step, which are not all the same.
bool holds(const GradedAnswer& judged, const Tensor* less, const Tensor& other) {
  if (!(other.shape() == judged.step->value.shape())) return false;
  const NumberSpan theirs = judged.theirs->data(), numbers = other.data();
  Index filled = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (judged.state(i) != CellState::Filled) continue;
    ++filled;
    const double here = less == nullptr ? theirs[i] : theirs[i] - less->data()[i];
    if (!judged.close.agree(here, numbers[i])) return false;
  }
  return filled >= kEnoughCells &&
         std::any_of(numbers.begin(), numbers.end(), [&](double x) { return x != numbers[0]; });
}

/// The step, right or as it follows, whose numbers these are; nullptr: none. Scores that nothing
/// hides are no matter of a name.
const Step* whose(const Case& known, const GradedAnswer& judged, const Tensor* less) {
  const std::vector<std::string>& inputs = judged.step->inputs;
  const bool masked = judged.step->info().role == StepRole::MaskedScores;
  for (const Step& step : known.truth.steps) {
    const bool unmasked =
        masked && std::find(inputs.begin(), inputs.end(), step.id) != inputs.end();
    if (&step == judged.step || step.info().role == StepRole::Mask || unmasked) continue;
    const Tensor* follows = known.follows.made(step.id);
    if (holds(judged, less, step.value) || (follows != nullptr && holds(judged, less, *follows)))
      return &step;
  }
  return nullptr;
}

}  // namespace

Said numbers_of_other_step(const Case& known, const GradedAnswer& judged) {
  const Step* step = whose(known, judged, nullptr);
  if (step == nullptr) return {};
  return filled("These are the numbers of {}.", step->id);
}

Said added_step(const Case& known, const GradedAnswer& judged) {
  const Tensor* made = known.follows.made(judged.step->id);
  if (made == nullptr || !(made->shape() == judged.step->value.shape())) return {};
  const Step* step = whose(known, judged, made);
  if (step == nullptr) return {};
  return filled("The numbers of {} are added to what follows.", step->id);
}

}  // namespace attn
