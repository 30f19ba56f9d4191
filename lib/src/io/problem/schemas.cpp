// The schemas: what the tables of keys and steps know is filled into the files in lib/schemas.
#include <algorithm>

#include "attn/tool/schemas.hpp"
#include "attn/trace.hpp"
#include "io/problem/problem_keys.hpp"

namespace attn {
namespace {

using json::Fields;
using json::quoted;

/// The properties of the object at `parent`, closed at `indent`.
std::string properties(std::string_view parent, std::size_t indent);

std::string line(std::size_t indent) { return "\n" + std::string(indent, ' '); }

/// The rules of an object: its keys, and comments.
std::string object_rules(const ProblemKey& key, std::size_t indent) {
  const std::string parent = std::string(key.path) + "/";
  std::vector<std::string> required;
  for (const ProblemKey& each : problem_keys()) {
    if (each.parent() == parent && each.required) required.push_back(each.name());
  }
  const std::string needs =
      required.empty() ? "" : "," + line(indent) + "\"required\": " + json::texts_text(required);
  return "\"type\": \"object\"," + line(indent) + "\"properties\": " + properties(parent, indent) +
         "," + line(indent) + "\"patternProperties\": {\"^[_$]\": true}," + line(indent) +
         "\"additionalProperties\": false" + needs;
}

/// One of some words, the first of which is the default.
std::string word_rules(const std::vector<std::string>& words) {
  return "\"enum\": " + json::texts_text(words) + ", \"default\": " + quoted(words.front());
}

std::string rules_of(const ProblemKey& key, std::size_t indent) {
  if (*key.kind.schema != '\0') return key.kind.schema;
  return key.field.words ? word_rules(key.field.words()) : object_rules(key, indent);
}

std::string schema_of(const ProblemKey& key, std::size_t indent) {
  const std::size_t inner = indent + json::kStep;
  return "{" + line(inner) + rules_of(key, inner) + "," + line(inner) +
         "\"description\": " + quoted(key.says) + line(indent) + "}";
}

std::string properties(std::string_view parent, std::size_t indent) {
  Fields fields;
  for (const ProblemKey& key : problem_keys()) {
    if (key.parent() != parent) continue;
    fields.emplace_back(key.name(), schema_of(key, indent + json::kStep));
  }
  return json::object_lines(fields, indent);
}

/// What the definition `kind` says for each step.
std::string steps(const std::string& kind, std::size_t indent) {
  Fields fields;
  for (const std::string& id : step_ids()) {
    const StepInfo& info = *find_step_info(id);
    const std::string says = std::string(info.symbol) + ", " + info.title + ": " + info.row_axis +
                             " × " + info.col_axis + ".";
    fields.emplace_back(
        id, "{\"$ref\": \"#/$defs/" + kind + "\", \"description\": " + quoted(says) + "}");
  }
  return json::object_lines(fields, indent);
}

/// What a trace says about settings that are not at their default: the words and numbers that the
/// options take, by the names of the options.
std::string other_settings() {
  std::string all;
  for (const ProblemOption& option : problem_options()) {
    const ProblemKey& key = *find_key(option.pointer.substr(1));
    std::string name = option.name;
    std::replace(name.begin(), name.end(), '-', '_');
    if (name == "heads" || name == "kv_heads" || name == "scale") continue;  // always there
    const std::string rules = key.field.words ? word_rules(key.field.words()) : key.kind.schema;
    all += (all.empty() ? "" : "," + line(8)) + quoted(name) + ": {" + rules + "}";
  }
  return all;
}

/// A schema as text, with what its gaps stand for.
struct Filled {
  std::string_view name;
  std::string text;
};

std::vector<Filled> filled_schemas() {
  const std::pair<std::string, std::string> gaps[] = {
      {"\"<keys of a problem>\"", properties("", 2)},
      {"\"<other settings>\": true", other_settings()},
      {"\"<steps>\"", steps("step", 6)},
      {"\"<matrices of steps>\"", steps("answer", 2)},
  };
  std::vector<Filled> all;
  for (const Schema& file : schema_files()) {
    std::string text(file.text);
    for (const auto& [gap, filling] : gaps) {
      if (const std::size_t at = text.find(gap); at != text.npos) {
        text.replace(at, gap.size(), filling);
      }
    }
    all.push_back({file.name, std::move(text)});
  }
  return all;
}

}  // namespace

std::span<const Schema> schemas() {
  static const std::vector<Filled> filled = filled_schemas();
  static const std::vector<Schema> all = [] {
    std::vector<Schema> views;
    for (const Filled& each : filled) views.push_back({each.name, each.text});
    return views;
  }();
  return all;
}

}  // namespace attn
