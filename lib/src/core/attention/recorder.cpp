// Rewires steps by the recipe, checks shapes, and lets steps wait to be computed row by row.
#include "core/attention/recorder.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "attn/error.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/tensor/dtype.hpp"

namespace attn {
namespace {

/// The parameters of `operation`: those it shares with another operation, and new values.
Parameters carried_over(const Operation& operation, const Parameters& before,
                        const Parameters& changes) {
  Parameters p;
  for (const ParameterField& field : operation.fields) {
    const Parameters::Value* value = changes.find(field.name);
    if (value == nullptr) value = before.find(field.name);
    if (value != nullptr) p.set(field.name, *value);
  }
  return p;
}

void check_step(const std::string& word) {
  if (find_step_info(word) == nullptr)
    throw std::invalid_argument("a recipe names a step that does not exist: " + word);
}

Error cannot_compute(const Step& step) {
  return input_error({.id = "shape-mismatch",
                      .what = step.id + " cannot be computed this way: " + step.operation->name +
                              " does not fit its inputs",
                      .rule = step.operation->shape_rule.sentence,
                      .fix = "Choose a problem with matching sizes."});
}

/// Whether an extra step is made from an input ("{1!}") that the step it comes before lacks.
bool lacks_input(const ExtraStep& extra, const std::vector<std::string>& own) {
  return std::any_of(extra.inputs.begin(), extra.inputs.end(), [&](const std::string& name) {
    return name.ends_with("!}") && static_cast<std::size_t>(name[1] - '0') >= own.size();
  });
}

}  // namespace

Recorder::Recorder(Trace& trace, std::shared_ptr<const Scope> scope, const Recipe& recipe,
                   Numbers numbers, KeepStep keeps)
    : trace_(trace),
      scope_(std::move(scope)),
      recipe_(recipe),
      numbers_(numbers),
      keeps_(std::move(keeps)) {
  trace_.scopes.push_back(scope_);
  for (const Rewiring& change : recipe_) {
    check_step(change.step);
    for (const ExtraStep& extra : change.before) check_step(extra.id);
  }
}

std::vector<std::string> Recorder::resolved(const std::vector<std::string>& names,
                                            const std::vector<std::string>& own) const {
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    const bool placeholder = name.front() == '{' && name.back() == '}';
    const bool may_lack = name.ends_with('?') || name.ends_with("?}");
    if (placeholder) {
      const auto at = static_cast<std::size_t>(name[1] - '0');
      if (!may_lack || at < own.size()) ids.push_back(own.at(at));
      continue;
    }
    std::string id = meant(may_lack ? name.substr(0, name.size() - 1) : name);
    if (!may_lack || trace_.find(id) != nullptr) ids.push_back(std::move(id));
  }
  return ids;
}

std::string Recorder::meant(const std::string& name) const {
  return name.starts_with('.') ? name.substr(1) : id_of(name);
}

std::string Recorder::id_of(const std::string& word) const {
  return scope_->name.empty() ? word : scope_->name + "." + word;
}

std::string Recorder::input(const std::string& word, Tensor given, Parameters parameters) {
  const auto change = std::find_if(recipe_.begin(), recipe_.end(), [&](const Rewiring& each) {
    return each.value && meant(each.step) == id_of(word);
  });
  if (change != recipe_.end()) given = *change->value;
  Step step{id_of(word),
            &ops::given,
            std::move(parameters),
            {},
            scope_,
            find_step_info(word),
            numbers_ == Numbers::None ? Tensor::outline(given.shape())
                                      : rounded(std::move(given), scope_->settings.dtype)};
  (step.is_no_step() ? trace_.givens : trace_.steps).push_back(std::move(step));
  return id_of(word);
}

std::string Recorder::operator()(const std::string& word, const Operation& operation,
                                 std::vector<std::string> inputs, Parameters parameters,
                                 const Shape& shape) {
  Step step{id_of(word),          &operation, std::move(parameters), std::move(inputs), scope_,
            find_step_info(word), {}};
  for (const Rewiring& change : recipe_) {
    if (meant(change.step) != step.id) continue;
    if (change.instead_of != nullptr && change.instead_of != step.operation) continue;
    if (change.left_out) return step.inputs.at(0);
    for (const ExtraStep& extra : change.before)
      if (!lacks_input(extra, step.inputs)) add_extra(extra, step);
    if (change.operation != nullptr) step.operation = change.operation;
    if (!change.inputs.empty()) step.inputs = resolved(change.inputs, step.inputs);
    step.parameters = carried_over(*step.operation, step.parameters, change.parameters);
  }
  std::string id = step.id;
  add(std::move(step), shape);
  return id;
}

void Recorder::add_extra(const ExtraStep& extra, const Step& step) {
  Step made{id_of(extra.id),
            extra.operation,
            carried_over(*extra.operation, step.parameters, extra.parameters),
            resolved(extra.inputs, step.inputs),
            scope_,
            find_step_info(extra.id),
            {}};
  const Shape like = step.inputs.empty() ? Shape() : trace_.value(step.inputs.front()).shape();
  if (extra.unless_known) {
    set_shape(trace_, made, like);
    const auto same = [&](const Step& each) {
      return each.operation == made.operation && each.scope == scope_ &&
             each.parameters == made.parameters && each.inputs == made.inputs &&
             each.value.shape() == made.value.shape();
    };
    if (std::any_of(trace_.steps.begin(), trace_.steps.end(), same)) return;
  }
  add(std::move(made), like);
}

bool Recorder::is_waiting(const std::string& id) const {
  return std::any_of(waiting_.begin(), waiting_.end(),
                     [&](std::size_t at) { return trace_.steps[at].id == id; });
}

bool Recorder::can_wait(const Step& step) const {
  if (!waits_ || step.operation->write_rows == nullptr) return false;
  const auto whole = step.operation->inputs_by_row(step.parameters);
  for (std::size_t i = whole; i < step.inputs.size(); ++i) {
    if (is_waiting(step.inputs[i])) return false;
  }
  if (waiting_.empty()) return true;
  const Shape &own = step.value.shape(), &first = trace_.steps[waiting_.front()].value.shape();
  return own.batch == first.batch && own.heads == first.heads && own.rows == first.rows;
}

void Recorder::add(Step step, const Shape& shape) {
  set_shape(trace_, step, shape);
  if (can_wait(step)) {
    waiting_.push_back(trace_.steps.size());
  } else if (numbers_ == Numbers::All) {
    const auto& inputs = step.inputs;
    if (std::any_of(inputs.begin(), inputs.end(),
                    [&](const std::string& id) { return is_waiting(id); }))
      catch_up([](const std::string&) { return true; });
    set_numbers(trace_, step);
  }
  trace_.steps.push_back(std::move(step));
}

void Recorder::catch_up(const KeepStep& needed) {
  std::vector<ops::RowLink> chain;
  for (const std::size_t at : waiting_) {
    const Step& step = trace_.steps[at];
    ops::RowLink link{step.operation, &step.parameters, {}, step.value.shape()};
    link.is_kept = needed(step.id);
    for (const std::string& id : step.inputs) {
      const auto made = std::find_if(waiting_.begin(), waiting_.end(), [&](std::size_t other) {
        return trace_.steps[other].id == id;
      });
      if (made == waiting_.end()) {
        link.inputs.push_back({&trace_.value(id)});
      } else {
        link.inputs.push_back({nullptr, static_cast<std::size_t>(made - waiting_.begin())});
      }
    }
    chain.push_back(std::move(link));
  }
  if (!chain.empty()) ops::compute(chain, scope_->settings.dtype);
  for (std::size_t i = 0; i < chain.size(); ++i) {
    Step& step = trace_.steps[waiting_[i]];
    step.value = std::move(chain[i].result);
    step.not_finite = chain[i].not_finite;
  }
  waiting_.clear();
}

void set_shape(const Trace& trace, Step& step, const Shape& shape) {
  if (trace.find(step.id) != nullptr)
    throw std::invalid_argument("a recipe makes the step " + step.id + " twice");
  std::vector<Shape> shapes;
  for (const Tensor* input : trace.inputs(step)) shapes.push_back(input->shape());
  const ShapeRule& rule = step.operation->shape_rule;
  const bool counted = shapes.size() >= rule.least && shapes.size() <= rule.most;
  const auto result = counted ? rule.result(shapes, step.parameters, shape) : std::nullopt;
  if (!result) throw cannot_compute(step);
  step.value = Tensor::outline(*result);
}

void set_numbers(const Trace& trace, Step& step) {
  const std::vector<const Tensor*> inputs = trace.inputs(step);
  auto [value, not_finite] = ops::evaluate(
      *step.operation, {inputs, step.parameters, step.value.shape()}, step.scope->settings.dtype);
  step.value = std::move(value);
  step.not_finite = not_finite;
}

}  // namespace attn
