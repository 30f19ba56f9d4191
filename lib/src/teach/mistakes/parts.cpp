// Cuts scopes or single steps out of a computation, and lifts recipes for them back into it.
#include "teach/mistakes/parts.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "core/attention/gradient_steps.hpp"

#include "teach/mistakes/wiring.hpp"

namespace attn {
namespace {

/// The steps of a whole that are in a part, and what they are made from.
class Cutting {
 public:
  Cutting(const Trace& whole, std::string name) : whole_(whole) { part_.name = std::move(name); }

  void add(const Step& step) {
    for (const std::string& input : step.inputs) {
      if (!locals_.contains(input)) add_source(whole_.at(input), input);
    }
    add_as(step, local_id(step.id), step.is_no_step());
  }
  /// A step outside of the part, as a given of that name.
  void add_source(const Step& source, const std::string& local) {
    Step given = source;
    if (!source.is_given()) {
      given.operation = find_operation("given");
      given.parameters = {};
      given.inputs.clear();
    }
    add_as(given, local, given.is_no_step());
  }
  bool has(const std::string& id) const { return locals_.contains(id); }

  Part made() && { return std::move(part_); }

 private:
  std::string local_id(const std::string& id) const {
    const std::string prefix = part_.name + ".";
    return id.starts_with(prefix) ? id.substr(prefix.size()) : id;
  }
  void add_as(const Step& step, const std::string& local, bool as_given) {
    Step own = step;
    own.id = local;
    for (std::string& input : own.inputs) input = locals_.at(input);
    own.scope = alone(step.scope);
    if (const StepInfo* info = find_step_info(local)) own.meaning = info;
    locals_[step.id] = local;
    part_.ids[local] = step.id;
    (as_given ? part_.alone.givens : part_.alone.steps).push_back(std::move(own));
  }
  /// The same scope, without the name of the part.
  std::shared_ptr<const Scope> alone(const std::shared_ptr<const Scope>& scope) {
    auto& own = scopes_[scope.get()];
    if (!own) {
      auto copy = std::make_shared<Scope>(*scope);
      copy->name = copy->name == part_.name ? "" : local_id(copy->name);
      own = copy;
      auto& all = part_.alone.scopes;
      all.insert(copy->name.empty() ? all.begin() : all.end(), own);
    }
    return own;
  }

  const Trace& whole_;
  Part part_;
  std::map<std::string, std::string> locals_;  ///< ids of the whole in the part
  std::map<const Scope*, std::shared_ptr<const Scope>> scopes_;
};

bool within(const std::string& scope, const std::string& part) {
  return scope.starts_with(part) && (scope.size() == part.size() || scope[part.size()] == '.');
}

/// The steps whose scopes are within `name`; sources have the names of an attention's inputs.
Part cut_scope(const Trace& whole, const std::string& name, bool attention) {
  Cutting cut(whole, name);
  std::vector<const Step*> inside;
  for (const auto* steps : {&whole.givens, &whole.steps}) {
    for (const Step& step : *steps) {
      if (within(step.scope->name, name)) inside.push_back(&step);
    }
  }
  if (attention) {
    std::size_t next = 0;
    for (const Step* step : inside) {
      if (is_gradient(*step)) continue;
      for (const std::string& input : step->inputs) {
        const bool outside = !within(whole.at(input).scope->name, name);
        constexpr const char* kSources[] = {"x", "memory", "memory_values"};
        if (outside && !cut.has(input) && next < std::size(kSources))
          cut.add_source(whole.at(input), kSources[next++]);
      }
    }
  }
  for (const Step* step : inside) cut.add(*step);
  return std::move(cut).made();
}

/// The names of the scopes in which a mistake of that kind can be made, in order.
std::vector<std::string> names_of(const Trace& whole, PartKind kind) {
  std::vector<std::string> names;
  for (const Step& step : whole.steps) {
    if (step.scope->name.empty()) continue;
    const ModelPlace place = place_of(*step.scope);
    std::string name = step.scope->name;
    if (kind != PartKind::Layer && step.info().role != StepRole::Weights) continue;
    if (kind == PartKind::Layer) {
      if (!place.layer) continue;
      name = place.stack + "." + std::to_string(*place.layer);
    }
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

/// "h.*.attn" for "h.0.attn".
std::string in_any_layer(const std::string& name) {
  Scope scope;
  scope.name = name;
  const ModelPlace place = place_of(scope);
  if (!place.layer) return name;
  return place.stack + ".*" + (place.module.empty() ? "" : "." + place.module);
}

bool is_sum(const Step& step) {
  const std::string_view operation = step.operation->name;
  return is_gradient(step) &&
         (operation == "add" || (operation == "add_products" && step.inputs.size() > 2));
}

std::vector<Part> single_steps(const Trace& whole, bool (*is_one)(const Step& step)) {
  std::vector<Part> parts;
  for (const Step& step : whole.steps) {
    if (!is_one(step)) continue;
    Cutting cut(whole, step.scope->name);
    cut.add(step);
    Part part = std::move(cut).made();
    part.name = step.id;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

std::string Part::lifted(const std::string& id) const {
  if (name.empty() || id.starts_with('{')) return id;
  const auto at = ids.find(id);
  return at == ids.end() ? id : "." + at->second;
}

Recipe Part::lifted(Recipe recipe) const {
  for (Rewiring& change : recipe) {
    change.step = lifted(change.step);
    for (std::string& input : change.inputs) input = lifted(input);
    for (ExtraStep& extra : change.before) {
      for (std::string& input : extra.inputs) input = lifted(input);
    }
  }
  return recipe;
}

std::string rewired_id(const Rewiring& change) {
  return change.step.substr(change.step.starts_with('.') ? 1 : 0);
}

std::vector<Part> parts_of(const Trace& all, PartKind kind) {
  std::vector<Part> parts;
  if (kind == PartKind::Sum) {
    parts = single_steps(all, is_sum);
    for (Part& part : parts) part.like = in_any_layer(part.name);
    return parts;
  }
  const bool backward = std::any_of(all.steps.begin(), all.steps.end(), is_gradient);
  if (kind == PartKind::Backward && !backward) return parts;
  Trace whole = all;
  if (kind != PartKind::Backward)
    whole.steps.rearrange([](auto& steps) { std::erase_if(steps, is_gradient); });
  const bool attention = kind == PartKind::Attention || kind == PartKind::Backward;
  if (kind == PartKind::Whole || (attention && !whole.is_model())) {
    parts.emplace_back().alone = std::move(whole);
    return parts;
  }
  if (kind == PartKind::Norm) {
    parts = single_steps(whole, [](const Step& step) {
      const bool by_length = step.operation->name == std::string_view("l2_norm");
      return is_norm(step) && step.inputs.size() > 1 && !by_length;
    });
  } else {
    for (const std::string& name : names_of(whole, kind))
      parts.push_back(cut_scope(whole, name, attention));
  }
  for (Part& part : parts) part.like = in_any_layer(part.name);
  return parts;
}

}  // namespace attn
