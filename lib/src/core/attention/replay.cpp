// Computes a trace once more, wired differently.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "attn/error.hpp"
#include "core/attention/gradient_steps.hpp"
#include "core/attention/recorder.hpp"
#include "core/attention/scope.hpp"

namespace attn {
namespace {

/// The ids that some steps have now: one that is left out is replaced by its first input.
using Renamed = std::map<std::string, std::string>;

/// What the inputs of a step are called now.
std::vector<std::string> inputs_now(const Step& step, const Renamed& renamed) {
  std::vector<std::string> inputs = step.inputs;
  for (std::string& id : inputs) {
    if (const auto at = renamed.find(id); at != renamed.end()) id = at->second;
  }
  return inputs;
}

std::string word_of(const Step& step) {
  const std::string& scope = step.scope->name;
  return scope.empty() ? step.id : step.id.substr(scope.size() + 1);
}

/// Whether a recipe changes what gradients are made from: they are then those of the other wiring.
bool changes_gradients(const Trace& trace, const Recipe& recipe) {
  return std::any_of(trace.steps.begin(), trace.steps.end(), is_gradient) &&
         std::any_of(recipe.begin(), recipe.end(),
                     [](const Rewiring& change) { return owner_of_gradient(change.step).empty(); });
}

}  // namespace

Trace replay(const Trace& trace, const Recipe& recipe, Numbers numbers) {
  Trace made;
  made.title = trace.title;
  made.description = trace.description;
  std::map<const Scope*, Recorder> recorders;
  std::map<std::string, const Scope*> by_name;
  std::vector<std::shared_ptr<Scope>> scopes;
  for (const auto& scope : trace.scopes) {
    std::shared_ptr<const Scope> own = scope;
    by_name[scope->name] = scope.get();
    if (numbers == Numbers::All) own = scopes.emplace_back(std::make_shared<Scope>(*scope));
    recorders.emplace(std::piecewise_construct, std::forward_as_tuple(scope.get()),
                      std::forward_as_tuple(made, own, recipe, numbers));
  }
  Renamed renamed;
  const auto keep = [&](const Step& given) {
    recorders.at(given.scope.get()).input(word_of(given), given.value, given.parameters);
  };
  for (const Step& given : trace.givens) keep(given);  // first: a recipe may need one earlier
  std::vector<const Step*> waiting;  // made from a step that is gone, or comes later now
  const auto record = [&](const Step& step) {
    const std::size_t before = made.steps.size();
    try {
      std::string now =
          recorders.at(step.scope.get())(word_of(step), *step.operation, inputs_now(step, renamed),
                                         step.parameters, step.value.shape());
      if (now != step.id) renamed[step.id] = std::move(now);
    } catch (const Error&) {              // what it is made from does not fit any more
    } catch (const std::out_of_range&) {  // what it should be made from is not there, or not yet
      return made.steps.size() > before;
    }
    return true;
  };
  const bool anew = changes_gradients(trace, recipe);
  for (const Step& step : trace.steps) {
    if (step.is_given()) {
      keep(step);
    } else if (anew && is_gradient(step)) {
      continue;
    } else if (!record(step)) {
      waiting.push_back(&step);
      continue;
    }
    for (bool any = true; std::exchange(any, false);)
      any = std::erase_if(waiting, [&](const Step* each) { return record(*each); }) > 0;
  }
  if (anew) {
    const auto record_share = [&](const Step& owner, const std::string& part, const Share& share) {
      const Scope* scope = by_name.at(owner.scope->name);
      recorders.at(scope)(word_of(owner) + ".grad" + part, *share.operation, share.inputs,
                          share.parameters, owner.value.shape());
    };
    try {
      repeat_gradients(made, trace, record_share);
    } catch (const Error&) {  // the first steps of a mistake without a gradient are enough
    } catch (const std::out_of_range&) {
    }
  }
  for (const auto& scope : scopes) settle(*scope, made);
  return made;
}

}  // namespace attn
