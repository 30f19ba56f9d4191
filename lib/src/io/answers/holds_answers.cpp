// Distinguishes answers from problems: both have keys that are names of steps.
#include <algorithm>

#include "attn/io/answers_file.hpp"
#include "io/json/json.hpp"
#include "io/problem/problem_fields.hpp"

namespace attn {
namespace {

/// Whether a problem may have a list under that key.
bool problem_takes_list(const std::string& name) {
  const ProblemKey* key = find_key(name);
  if (key == nullptr || key->kind.by_name) return false;
  const auto& keys = problem_keys();
  return std::none_of(keys.begin(), keys.end(),
                      [&](const ProblemKey& each) { return each.parent() == name + "/"; });
}

}  // namespace

bool holds_answers(std::string_view bytes) {
  return json::any_member(bytes, [](std::string_view key, std::string_view value) {
    const std::string name(key);
    return value.starts_with('[') && is_answer_name(name) && !problem_takes_list(name);
  });
}

}  // namespace attn
