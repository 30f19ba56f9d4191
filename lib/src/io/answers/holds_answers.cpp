// Distinguishes answers from problems: both have keys that are names of steps.
#include <algorithm>

#include "attn/answers_file.hpp"
#include "attn/error.hpp"
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

bool holds_answers(std::string_view bytes, const std::string& name) {
  if (is_answers_table(bytes)) return true;
  try {
    const json::Document file = json::parse(bytes, name, nullptr, json::OddWords::Quoted);
    const auto* members = std::get_if<json::Members>(&file.root.value);
    return members != nullptr &&
           std::any_of(members->begin(), members->end(), [](const json::Member& member) {
             return json::is_list(member.value) && is_answer_name(member.key) &&
                    !problem_takes_list(member.key);
           });
  } catch (const Error&) {
    return false;  // the reader reports why
  }
}

}  // namespace attn
