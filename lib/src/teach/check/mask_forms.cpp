// Masks that a program keeps in another form than the step.
// One for all heads or batch entries, what is added to the scores, 1 where keys are hidden.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "attn/phrases.hpp"
#include "teach/check/equivalent.hpp"

namespace attn {
namespace {

/// The same numbers in each matrix of a larger shape, where axes are absent or 1; as it is if they
/// are neither.
Answer broadcast(Answer answer, const std::vector<Index>& sizes) {
  std::vector<Index> own = answer.shape;
  while (own.size() > sizes.size() && own.front() == 1) own.erase(own.begin());
  if (own.size() > sizes.size()) return answer;
  own.insert(own.begin(), sizes.size() - own.size(), 1);
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    if (own[axis] != 1 && own[axis] != sizes[axis]) return answer;
  }
  Index count = 1;
  for (const Index size : sizes) count *= size;
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Index rest = static_cast<Index>(i), from = 0, stride = 1;
    for (std::size_t axis = sizes.size(); axis-- > 0; rest /= sizes[axis]) {
      if (own[axis] != 1) from += rest % sizes[axis] * stride;
      stride *= own[axis];
    }
    numbers[i] = answer.numbers[static_cast<std::size_t>(from)];
  }
  answer.shape = sizes;
  answer.numbers = std::move(numbers);
  return answer;
}

/// Whether these are 0 where a key is visible, and so far below that the score hides it elsewhere.
bool is_added(const std::vector<double>& numbers) {
  const auto below = [](double x) { return x <= kHides; };
  return std::any_of(numbers.begin(), numbers.end(), below) &&
         std::all_of(numbers.begin(), numbers.end(),
                     [&](double x) { return x == 0.0 || below(x); });
}

bool is_opposite(const std::vector<double>& numbers, NumberSpan right) {
  return std::equal(numbers.begin(), numbers.end(), right.begin(), right.end(),
                    [](double x, double y) { return x == 1.0 - y; });
}

/// Whether one of these matrices is a step that comes of the mask, and right.
bool is_use_right(const Trace& truth, const Answers& answers, const Step& mask,
                  const Tolerance& tolerance) {
  std::set<std::string> made{mask.id};
  for (const Step& step : truth.steps) {
    if (std::any_of(step.inputs.begin(), step.inputs.end(),
                    [&](const std::string& id) { return made.contains(id); }))
      made.insert(step.id);
  }
  return std::any_of(answers.matrices.begin(), answers.matrices.end(), [&](const Answer& each) {
    const Step* step = truth.find_named(each.id);
    return step != nullptr && step != &mask && made.contains(step->id) &&
           has_shape(each, step->value.shape()) && is_truth(each, truth, *step, tolerance);
  });
}

}  // namespace

Answers masks_as_here(const Trace& truth, Answers answers, const CheckOptions& options,
                      std::vector<std::string>& notes) {
  if (!answers.by_program) return answers;
  const Tolerance tolerance = usual_tolerance(answers, options);
  for (Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (step == nullptr || step->info().role != StepRole::Mask || !each.states.empty()) continue;
    const bool fits = has_shape(each, step->value.shape());
    if (!fits) each = broadcast(std::move(each), step->value.shape().sizes());
    if (!has_shape(each, step->value.shape())) continue;
    if (is_added(each.numbers)) {
      for (double& x : each.numbers) x = x == 0.0 ? 1.0 : 0.0;
      notes.push_back(each.id + " holds what is added to the scores: 0 is read as 1, −∞ as 0");
    } else if (is_opposite(each.numbers, step->value.data()) &&
               is_use_right(truth, answers, *step, tolerance)) {
      for (double& x : each.numbers) x = 1.0 - x;
      notes.push_back(each.id +
                      " is 1 where a key is hidden, the opposite of this mask: it is "
                      "read the other way round");
    }
  }
  return answers;
}

}  // namespace attn
