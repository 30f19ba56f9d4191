// The schemas: the files in lib/schemas, with their gaps filled from the tables of keys and steps.
#include <algorithm>

#include "attn/exercise.hpp"
#include "attn/tool/schemas.hpp"
#include "attn/trace.hpp"
#include "io/problem/problem_fields.hpp"
#include "io/trace/step_parameters.hpp"

namespace attn {
namespace {

using json::Fields;
using json::quoted;

/// The properties of the object at `parent`, closed at `indent`.
std::string properties(std::string_view parent, std::size_t indent);

std::string choice_rule(const std::vector<std::string>& words) {
  return "\"enum\": " + json::texts_text(words);
}

/// One of some words, the first of which is the default.
std::string word_rules(const std::vector<std::string>& words) {
  return choice_rule(words) + ", \"default\": " + quoted(words.front());
}

/// A rule in each item; those of an object allow its keys, and comments.
std::vector<json::Text> rules_of(const ProblemKey& key, std::size_t indent) {
  if (*key.kind.schema != '\0') return {key.kind.schema};
  if (key.field.words && key.required) return {choice_rule(key.field.words())};
  if (key.field.words) return {word_rules(key.field.words())};
  const std::string parent = std::string(key.path) + "/";
  std::vector<std::string> required;
  for (const ProblemKey& each : problem_keys()) {
    if (each.parent() == parent && each.required) required.emplace_back(each.name());
  }
  std::vector<json::Text> rules = {
      "\"type\": \"object\"", "\"properties\": " + properties(parent, indent),
      "\"patternProperties\": {\"^[_$]\": true}", "\"additionalProperties\": false"};
  if (!required.empty()) rules.push_back("\"required\": " + json::texts_text(required));
  return rules;
}

std::string schema_of(const ProblemKey& key, std::size_t indent) {
  std::vector<json::Text> rules = rules_of(key, indent + json::kStep);
  rules.push_back("\"description\": " + quoted(key.says));
  return json::lines_text(rules, indent, "{}");
}

std::string properties(std::string_view parent, std::size_t indent) {
  Fields fields;
  for (const ProblemKey& key : problem_keys()) {
    if (key.parent() != parent) continue;
    fields.emplace_back(key.name(), schema_of(key, indent + json::kStep));
  }
  return json::object_lines(fields, indent);
}

/// The definition `kind` for each of these steps or givens.
std::string matrices(const std::vector<std::string>& ids, const std::string& kind,
                     std::size_t indent) {
  Fields fields;
  for (const std::string& id : ids) {
    const StepInfo& info = *find_step_info(id);
    const std::string says = std::string(info.symbol) + ", " + info.title + ": " + info.row_axis +
                             " × " + info.col_axis + ".";
    fields.emplace_back(
        id, "{\"$ref\": \"#/$defs/" + kind + "\", \"description\": " + quoted(says) + "}");
  }
  return json::object_lines(fields, indent);
}

/// The rules for the parameters of each operation that has any.
std::string parameters(std::size_t indent) {
  std::vector<json::Text> rules;
  for (const Operation* operation : operations()) {
    if (operation->fields.empty()) continue;
    const std::size_t inner = indent + json::kStep;
    rules.push_back(json::object_lines(
        {{"if", "{\"properties\": {\"op\": {\"const\": " + quoted(operation->name) + "}}}"},
         {"then", std::string("{") +
                      (needs_parameters(*operation) ? "\"required\": [\"parameters\"], " : "") +
                      "\"properties\": {\"parameters\": " +
                      parameters_schema(*operation, inner + json::kStep) + "}}"}},
        inner));
  }
  return json::lines_text(rules, indent, "[]");
}

/// The settings that a trace has only if they differ from their defaults: the words and numbers
/// that the options take, by the names of the options.
std::string other_settings() {
  std::string all;
  for (const ProblemOption& option : problem_options()) {
    const ProblemKey& key = *find_key(option.pointer.substr(1));
    if (key.path == "ids") continue;  // an input
    std::string name = option.name;
    std::replace(name.begin(), name.end(), '-', '_');
    if (name == "heads" || name == "kv_heads" || name == "scale") continue;  // always there
    const std::string rules = key.field.words ? word_rules(key.field.words()) : key.kind.schema;
    all += (all.empty() ? "" : ",\n        ") + json::quoted(name) + ": {" + rules + "}";
  }
  return all;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const ExercisePreset& preset : exercise_presets()) names.emplace_back(preset.name);
  return names;
}

/// A schema as text, with its gaps filled.
struct Filled {
  std::string_view name;
  std::string text;
};

std::vector<Filled> filled_schemas() {
  const std::pair<std::string, std::string> gaps[] = {
      {"\"<keys of a problem>\"", properties("", 2)},
      {"\"<other settings>\": true", other_settings()},
      {"\"<steps>\"", matrices(step_ids(), "step", 6)},
      {"\"<givens>\"", matrices(given_ids(), "step", 6)},
      {"\"<parameters of operations>\"", parameters(6)},
      {"\"<matrices of steps>\"", matrices(step_ids(), "answer", 2)},
      {"\"<presets>\"", json::texts_text(preset_names())},
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
