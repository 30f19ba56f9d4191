// Finds steps of a trace, and how one cell is made.
#include "attn/trace.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

const Step* find_in(const std::vector<Step>& steps, std::string_view id) {
  for (const Step& step : steps) {
    if (step.id == id) return &step;
  }
  return nullptr;
}

}  // namespace

const Step* Trace::find(std::string_view id) const {
  const Step* step = find_in(steps, id);
  return step != nullptr ? step : find_in(givens, id);
}

const Step& Trace::at(std::string_view id) const {
  if (const Step* step = find(id)) return *step;
  throw std::out_of_range("the trace has no step " + std::string(id));
}

namespace {

/// The first step from `begin` on of that role and scope.
template <typename At>
const Step* of_role(At begin, At end, StepRole role, const Scope& scope) {
  const auto at = std::find_if(begin, end, [&](const Step& step) {
    return step.meaning->role == role && step.scope.get() == &scope;
  });
  return at == end ? nullptr : &*at;
}

}  // namespace

const Step* Trace::first_of(StepRole role, const Scope& scope) const {
  const Step* step = of_role(steps.begin(), steps.end(), role, scope);
  return step != nullptr ? step : of_role(givens.begin(), givens.end(), role, scope);
}

const Step* Trace::last_of(StepRole role, const Scope& scope) const {
  const Step* step = of_role(steps.rbegin(), steps.rend(), role, scope);
  return step != nullptr ? step : of_role(givens.rbegin(), givens.rend(), role, scope);
}

const Step* Trace::input_of(StepRole role, const Step& step) const {
  for (const std::string& id : step.inputs) {
    const Step& input = at(id);
    if (input.meaning->role == role) return &input;
  }
  return nullptr;
}

std::vector<const Tensor*> Trace::inputs(const Step& step) const {
  std::vector<const Tensor*> tensors;
  for (const std::string& id : step.inputs) tensors.push_back(&value(id));
  return tensors;
}

const Step* Trace::find_named(std::string_view name) const {
  if (const Step* step = find(name)) return step;
  for (const std::vector<Step>* part : {&steps, &givens}) {
    for (const Step& step : *part) {  // S′ is typed like LaTeX's S'
      if (name == step.info().symbol || name == step.info().latex) return &step;
    }
  }
  return nullptr;
}

std::vector<const Step*> steps_and_givens(const Trace& trace) {
  std::vector<const Step*> all;
  for (const Step& step : trace.steps) {
    for (const std::string& id : step.inputs) {
      const Step& input = trace.at(id);
      const bool is_new = std::find(all.begin(), all.end(), &input) == all.end();
      if (input.is_no_step() && is_new) all.push_back(&input);
    }
    all.push_back(&step);
  }
  return all;
}

std::vector<const Step*> chosen_steps(const Trace& trace, const std::vector<std::string>& names) {
  std::set<const Step*> wanted;
  for (const std::string& name : names) {
    const Step* step = trace.find_named(name);
    if (step == nullptr) throw missing_step(trace, name);
    wanted.insert(step);
  }
  std::vector<const Step*> chosen = steps_and_givens(trace);
  std::erase_if(chosen, [&](const Step* step) {
    return names.empty() ? step->is_no_step() : !wanted.contains(step);
  });
  return chosen;
}

std::vector<std::string> steps_with_nan(const Trace& trace) {
  std::vector<std::string> ids;
  for (const Step& step : trace.steps) {
    const auto& numbers = step.value.data();
    const bool some = std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != x; });
    if (some) ids.push_back(step.id);
  }
  return ids;
}

Expression derive(const Trace& trace, const Step& step, const Cell& cell) {
  if (step.is_given()) return constant(step.value.at(cell));
  return step.operation->derive({trace.inputs(step), step.parameters, step.value.shape()}, cell);
}

}  // namespace attn
