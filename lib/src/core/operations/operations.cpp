// Finds operations, and keeps their parameters by name.
#include "core/operations/operations.hpp"

#include <algorithm>
#include <stdexcept>

namespace attn {

std::span<const Operation* const> operations() { return ops::kAll; }

const Operation* find_operation(std::string_view name) {
  const auto* at = std::find_if(std::begin(ops::kAll), std::end(ops::kAll),
                                [&](const Operation* each) { return each->name == name; });
  return at == std::end(ops::kAll) ? nullptr : *at;
}

void Parameters::set(std::string_view name, Value value) {
  for (auto& [known, old] : values_) {
    if (known != name) continue;
    old = std::move(value);
    return;
  }
  values_.emplace_back(name, std::move(value));
}

const Parameters::Value* Parameters::find(std::string_view name) const {
  for (const auto& [known, value] : values_) {
    if (known == name) return &value;
  }
  return nullptr;
}

template <typename T>
const T& Parameters::get(std::string_view name) const {
  const Value* value = find(name);
  const T* typed = value == nullptr ? nullptr : std::get_if<T>(value);
  if (typed == nullptr) throw std::out_of_range("no parameter " + std::string(name));
  return *typed;
}

template const bool& Parameters::get(std::string_view) const;
template const Index& Parameters::get(std::string_view) const;
template const double& Parameters::get(std::string_view) const;
template const std::string& Parameters::get(std::string_view) const;
template const std::vector<Index>& Parameters::get(std::string_view) const;
template const std::vector<double>& Parameters::get(std::string_view) const;

}  // namespace attn
