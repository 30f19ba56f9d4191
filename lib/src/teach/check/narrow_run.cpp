// Replays a computation with every number rounded, and allows a multiple of what that changes.
#include "teach/check/narrow_run.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "attn/attend.hpp"
#include "core/tensor/dtype.hpp"
#include "teach/mistakes/parts.hpp"

namespace attn {
namespace {

/// What a program computes that rounds every number to `dtype`.
Trace narrow_run(const Trace& truth, Dtype dtype) {
  Trace other = truth;
  std::map<const Scope*, std::shared_ptr<const Scope>> scopes;
  for (auto& scope : other.scopes) {
    auto own = std::make_shared<Scope>(*scope);
    own->settings.dtype = dtype;
    scopes[scope.get()] = own;
    scope = std::move(own);
  }
  const auto narrow = [&](StepList::Steps& steps) {
    for (Step& step : steps) {
      step.scope = scopes.at(step.scope.get());
      if (step.parameters.find("dtype") != nullptr)
        step.parameters.set("dtype", std::string(kDtypeNames[static_cast<std::size_t>(dtype)]));
      if (step.is_given()) step.value = rounded(std::move(step.value), dtype);
    }
  };
  other.givens.rearrange(narrow);
  other.steps.rearrange(narrow);
  return replay(other, choices_as_in(truth));
}

/// By how much two runs differ in a step, at most, where no mask hides it.
double deviation(const Trace& truth, const Step& step, const Trace& other) {
  const Step* rounded = other.find(step.id);
  if (rounded == nullptr || !(rounded->value.shape() == step.value.shape())) return 0.0;
  Step gap = step;
  const NumberSpan numbers = rounded->value.data();
  const std::span<double> gaps = gap.value.edit();
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] -= numbers[i];
  return largest_visible(truth, gap);
}

}  // namespace

RouterTolerances allow_rounding(const Trace& truth, Dtype dtype,
                                std::vector<GradedAnswer>& answers) {
  const Trace narrow = narrow_run(truth, dtype);
  for (GradedAnswer& judged : answers) {
    judged.close.tolerance =
        std::max(judged.close.tolerance, kRuns * deviation(truth, *judged.step, narrow));
  }
  RouterTolerances scores;
  for (const Rewiring& router : choices_as_in(truth)) {
    const Step& step = truth.at(rewired_id(router));
    scores[step.id] = kRuns * deviation(truth, truth.at(step.inputs.front()), narrow);
  }
  return scores;
}

}  // namespace attn
