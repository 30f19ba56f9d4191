// Collects the parameters that a recipe adds or changes, and factors, except internal ones.
#include "teach/check/facts.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace attn {
namespace {

/// Parameters that only say which operation it is.
constexpr std::string_view kInternal[] = {"way", "cut", "how", "place", "centred", "dtype", "ids"};

using FactValue = std::optional<std::variant<double, std::string>>;

FactValue fact_value(const Parameters::Value& value) {
  return std::visit(
      [](const auto& x) -> FactValue {
        using T = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<T, std::string>) {
          return x;
        } else if constexpr (std::is_same_v<T, bool>) {
          return {};
        } else if constexpr (std::is_arithmetic_v<T>) {
          return static_cast<double>(x);
        } else {
          const bool equal =
              std::adjacent_find(x.begin(), x.end(), std::not_equal_to<>()) == x.end();
          if (x.empty() || !equal) return {};
          return static_cast<double>(x.front());
        }
      },
      value);
}

}  // namespace

std::vector<Fact> facts_of(const Trace& truth, const Candidate& candidate) {
  std::vector<Fact> facts;
  const auto add = [&](const std::string& name, const FactValue& value) {
    if (std::count(std::begin(kInternal), std::end(kInternal), name) > 0) return;
    const auto known = [&](const Fact& other) { return other.name == name; };
    if (value && std::none_of(facts.begin(), facts.end(), known)) facts.push_back({name, *value});
  };
  for (const Rewiring& change : candidate.change.recipe) {
    for (const ExtraStep& extra : change.before) {
      for (const ParameterField& field : extra.operation->fields) {
        if (const Parameters::Value* value = extra.parameters.find(field.name))
          add(field.name, fact_value(*value));
      }
    }
    const Step* step = truth.find(rewired_id(change));
    if (step == nullptr) continue;
    if (change.operation != nullptr && step->info().role == StepRole::FeedForward)
      add("operation", std::string(change.operation->name));
    const Operation& now = change.operation == nullptr ? *step->operation : *change.operation;
    for (const ParameterField& field : now.fields) {
      const Parameters::Value* value = change.parameters.find(field.name);
      const Parameters::Value* before = step->parameters.find(field.name);
      const bool same = value != nullptr && before != nullptr && *value == *before;
      if (value != nullptr && !same) add(field.name, fact_value(*value));
    }
  }
  for (const Afterwards& after : candidate.change.afterwards) {
    if (after.factor != 1.0) add("factor", after.factor);
  }
  return facts;
}

}  // namespace attn
