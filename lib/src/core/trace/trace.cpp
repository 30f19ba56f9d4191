#include "attn/trace.hpp"

#include <algorithm>
#include <cassert>

#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

const Step* find_in(const std::vector<Step>& steps, std::string_view id) {
  for (const Step& step : steps) {
    if (step.id == id) return &step;
  }
  return nullptr;
}

/// Fills a pattern of the table of operations. `[…]` stays only if the input it names is there.
std::string filled(std::string_view pattern, const std::vector<std::string>& symbols,
                   const std::string& parameter) {
  std::string text;
  bool keep = true;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool placeholder = i + 2 < pattern.size() && pattern[i] == '{' && pattern[i + 2] == '}';
    if (pattern[i] == '[') {
      const std::size_t brace = pattern.find('{', i);
      keep = static_cast<std::size_t>(pattern[brace + 1] - '0') < symbols.size();
    } else if (pattern[i] == ']') {
      keep = true;
    } else if (placeholder) {
      const char name = pattern[i + 1];
      if (keep) text += name == 'p' ? parameter : symbols.at(static_cast<std::size_t>(name - '0'));
      i += 2;
    } else if (keep) {
      text += pattern[i];
    }
  }
  return text;
}

}  // namespace

const Step* Trace::find(std::string_view id) const {
  const Step* step = find_in(steps, id);
  return step != nullptr ? step : find_in(givens, id);
}

const Step* Trace::last_weights() const {
  const auto last = std::find_if(steps.rbegin(), steps.rend(), [](const Step& step) {
    return step.info().role == StepRole::Weights;
  });
  return last == steps.rend() ? nullptr : &*last;
}

const Tensor& Trace::value(std::string_view id) const {
  const Step* step = find(id);
  assert(step != nullptr);
  return step->value;
}

std::vector<const Tensor*> Trace::inputs(const Step& step) const {
  std::vector<const Tensor*> tensors;
  for (const std::string& id : step.inputs) tensors.push_back(&value(id));
  return tensors;
}

const Step* Trace::find_named(std::string_view name) const {
  if (const Step* step = find(name)) return step;
  for (const std::vector<Step>* part : {&steps, &givens}) {
    for (const Step& step : *part) {  // LaTeX's S' is how S′ is typed
      if (name == step.info().symbol || name == step.info().latex) return &step;
    }
  }
  return nullptr;
}

std::vector<const Step*> chosen_steps(const Trace& trace, const std::vector<std::string>& names) {
  std::vector<const Step*> wanted, chosen;
  for (const std::string& name : names) wanted.push_back(trace.find_named(name));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (wanted[i] == nullptr || !is_step_id(wanted[i]->id)) throw missing_step(trace, names[i]);
  }
  for (const Step& step : trace.steps) {
    const bool named = std::find(wanted.begin(), wanted.end(), &step) != wanted.end();
    if (names.empty() || named) chosen.push_back(&step);
  }
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

std::string formula_text(const Trace& trace, const Step& step) {
  if (step.op == Op::Given) return step.info().symbol;
  std::vector<std::string> symbols;
  for (const std::string& id : step.inputs) symbols.emplace_back(trace.find(id)->info().symbol);
  return std::string(step.info().symbol) + " = " +
         filled(operation(step.op).text, symbols, step.parameters.text);
}

std::string formula_latex(const Trace& trace, const Step& step) {
  if (step.op == Op::Given) return step.info().latex;
  std::vector<std::string> symbols;
  for (const std::string& id : step.inputs) symbols.emplace_back(trace.find(id)->info().latex);
  return std::string(step.info().latex) + " = " +
         filled(operation(step.op).latex, symbols, step.parameters.latex);
}

Expression derive(const Trace& trace, const Step& step, const Cell& cell) {
  if (step.op == Op::Given) return constant(step.value.at(cell));
  const std::vector<const Tensor*> inputs = trace.inputs(step);
  return operation(step.op).derive(inputs, step.parameters, cell);
}

}  // namespace attn
