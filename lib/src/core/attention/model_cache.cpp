// What a run of a model leaves for the next one.
#include "core/attention/model_cache.hpp"

#include <utility>

namespace attn {
namespace {

/// The keys or values of an attention after its past was put in front of them.
Array rows_of(const Trace& trace, const std::string& scope, char letter) {
  const Step* found = nullptr;
  for (const char* ending : {"", "_heads", "_rotated", "_all"}) {
    const Step* step = trace.find(scope + "." + letter + ending);
    if (step != nullptr) found = step;
  }
  const Shape& shape = found->value.shape();
  Array rows{{shape.rows, shape.cols}, found->value.data().copy()};
  if (shape.heads) rows.shape.insert(rows.shape.begin(), *shape.heads);
  return rows;
}

}  // namespace

bool is_key_or_value(const std::string& id) {
  const std::string word = id.substr(id.rfind('.') + 1);
  return word.starts_with("k") || word.starts_with("v");
}

std::shared_ptr<ModelCache> cache_of(const Trace& trace, bool keys,
                                     std::vector<std::string> tokens) {
  auto cache = std::make_shared<ModelCache>();
  if (const Step* memory = trace.find("memory"))
    cache->memory =
        Array{{memory->value.rows(), memory->value.cols()}, memory->value.data().copy()};
  if (!keys) return cache;
  cache->tokens = std::move(tokens);
  for (const auto& scope : trace.scopes) {
    const bool decodes = trace.first_of(StepRole::Weights, *scope) != nullptr &&
                         !scope->name.starts_with("encoder.");
    if (!decodes) continue;
    cache->attentions[scope->name] = {rows_of(trace, scope->name, 'k'),
                                      rows_of(trace, scope->name, 'v')};
  }
  return cache;
}

}  // namespace attn
