// Finds steps of a trace, and how one cell is made.
#include "attn/trace.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "core/trace/missing_step.hpp"
#include "core/trace/unnumbered.hpp"

namespace attn {
namespace {

/// Whether `text` matches a pattern in which * is any text and ? any character.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = pattern.npos, from = 0;  // the last *, and where its text ends
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == pattern.npos;
}

/// Whether that is the symbol of a row as it is shown, or as it is typed: S' for S′.
bool is_symbol(std::string_view name, const StepInfo& info) {
  if (name.size() > std::string_view(info.symbol).size()) return false;
  std::string typed = info.symbol;
  for (const std::string_view prime : {"′", "″"}) {
    const std::size_t at = typed.find(prime);
    if (at != typed.npos) typed.replace(at, prime.size(), prime == "′" ? "'" : "''");
  }
  return name == info.symbol || name == typed;
}

bool has_name(const Step& step, std::string_view name) {
  if (name.find_first_of("*?") != name.npos) return matches(name, step.id);
  const std::string_view own = step.local_id();
  return name == step.id || name == own || name == unnumbered(own) || name == symbol_text(step) ||
         is_symbol(name, step.info());
}

constexpr std::size_t kFewSteps = 32;

}  // namespace

void StepList::push_back(Step step) {
  steps_.push_back(std::move(step));
  index_from(places_.empty() ? 0 : steps_.size() - 1);
}

void StepList::rearrange(const std::function<void(Steps& steps)>& change) {
  change(steps_);
  places_.clear();
  scopes_.clear();
  index_from(0);
}

void StepList::index_from(std::size_t first) {
  if (steps_.size() <= kFewSteps) return;
  for (std::size_t i = first; i < steps_.size(); ++i) {
    places_.try_emplace(steps_[i].id, i);
    scopes_[steps_[i].scope.get()].push_back(i);
  }
}

const Step* StepList::find(std::string_view id) const {
  if (!places_.empty()) {
    const auto at = places_.find(id);
    return at == places_.end() ? nullptr : &steps_[at->second];
  }
  const auto at =
      std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) { return step.id == id; });
  return at == steps_.end() ? nullptr : &*at;
}

const Step* StepList::first_in(const Scope& scope, const Is& is) const {
  if (const auto own = scopes_.find(&scope); own != scopes_.end()) {
    const auto at = std::find_if(own->second.begin(), own->second.end(),
                                 [&](std::size_t i) { return is(steps_[i]); });
    return at == own->second.end() ? nullptr : &steps_[*at];
  }
  if (!places_.empty()) return nullptr;
  const auto at = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
    return step.scope.get() == &scope && is(step);
  });
  return at == steps_.end() ? nullptr : &*at;
}

const Step* StepList::last_in(const Scope& scope, const Is& is) const {
  const Step* last = nullptr;
  first_in(scope, [&](const Step& step) {
    if (is(step)) last = &step;
    return false;
  });
  return last;
}

std::string_view Step::local_id() const {
  const std::size_t prefix = scope->name.empty() ? 0 : scope->name.size() + 1;
  return std::string_view(id).substr(prefix);
}

ModelPlace place_of(const Scope& scope) {
  const std::string& name = scope.name;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t dot = std::min(name.find('.', at), name.size());
    const std::string word = name.substr(at, dot - at);
    if (!word.empty() && unnumbered(word).empty() && word.size() < 10 && at > 0)
      return {name.substr(0, at - 1), std::stol(word), name.substr(std::min(dot + 1, name.size()))};
    at = dot + 1;
  }
  return {name, {}, ""};
}

bool Trace::is_model() const {
  return std::any_of(scopes.begin(), scopes.end(),
                     [](const auto& scope) { return !scope->name.empty(); });
}

const Scope& Trace::attention() const {
  const auto at = std::find_if(steps.begin(), steps.end(), [](const Step& step) {
    return step.meaning->role == StepRole::Weights;
  });
  return at == steps.end() ? scope() : *at->scope;
}

const Step* Trace::find(std::string_view id) const {
  const Step* step = steps.find(id);
  return step != nullptr ? step : givens.find(id);
}

const Step& Trace::at(std::string_view id) const {
  if (const Step* step = find(id)) return *step;
  throw std::out_of_range("the trace has no step " + std::string(id));
}

const Step* Trace::first_of(StepRole role, const Scope& scope) const {
  const auto is = [role](const Step& step) { return step.meaning->role == role; };
  const Step* step = steps.first_in(scope, is);
  return step != nullptr ? step : givens.first_in(scope, is);
}

const Step* Trace::last_of(StepRole role, const Scope& scope) const {
  const auto is = [role](const Step& step) { return step.meaning->role == role; };
  const Step* step = steps.last_in(scope, is);
  return step != nullptr ? step : givens.last_in(scope, is);
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
  const Step* found = nullptr;
  bool several = false;
  for (const StepList* part : {&steps, &givens}) {
    for (const Step& step : *part) {
      if (!is_symbol(name, step.info())) continue;
      if (step.scope->name.empty()) return &step;
      several = several || (found != nullptr && found->scope != step.scope);
      if (found == nullptr) found = &step;
    }
  }
  return several ? nullptr : found;
}

std::vector<const Step*> steps_named(const Trace& trace, const std::string& name) {
  const bool whole_id = name.find('.') != name.npos || !trace.is_model();
  if (const Step* step = whole_id ? trace.find(name) : nullptr) return {step};
  std::vector<const Step*> found;
  for (const StepList* part : {&trace.steps, &trace.givens}) {
    for (const Step& step : *part) {
      if (has_name(step, name)) found.push_back(&step);
    }
    if (!found.empty()) break;
  }
  return found;
}

std::vector<const Step*> steps_and_givens(const Trace& trace) {
  std::vector<const Step*> all;
  std::set<const Step*> givens;
  for (const Step& step : trace.steps) {
    for (const std::string& id : step.inputs) {
      const Step& input = trace.at(id);
      if (input.is_no_step() && givens.insert(&input).second) all.push_back(&input);
    }
    all.push_back(&step);
  }
  return all;
}

std::vector<const Step*> chosen_steps(const Trace& trace, const std::vector<std::string>& names) {
  std::set<const Step*> wanted;
  for (const std::string& name : names) {
    const std::vector<const Step*> found = steps_named(trace, name);
    if (found.empty()) throw missing_step(trace, name);
    wanted.insert(found.begin(), found.end());
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
    const auto& numbers = step.value.stored();
    const bool some = std::any_of(numbers.begin(), numbers.end(), [](double x) { return x != x; });
    if (some) ids.push_back(step.id);
  }
  return ids;
}

bool can_derive(const Trace& trace, const Step& step) {
  return !step.is_outline() &&
         std::none_of(step.inputs.begin(), step.inputs.end(),
                      [&](const std::string& id) { return trace.at(id).is_outline(); });
}

Expression derive(const Trace& trace, const Step& step, const Cell& cell) {
  if (step.is_given() || !can_derive(trace, step)) return constant(step.value.at(cell));
  return step.operation->derive({trace.inputs(step), step.parameters, step.value.shape()}, cell);
}

}  // namespace attn
