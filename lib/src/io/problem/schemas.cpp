// The schemas: the files in lib/schemas, with their gaps filled from the tables of keys and steps.
#include <algorithm>

#include "attn/language.hpp"
#include "attn/schemas.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/trace.hpp"
#include "io/problem/problem_fields.hpp"
#include "io/trace/step_parameters.hpp"

namespace attn {
namespace {

using json::Layout;
using json::Writer;

/// The properties of the object at `parent`.
void write_properties(Writer& out, std::string_view parent);

/// One of some words, the first of which is the default.
void write_choice(Writer& out, const std::vector<std::string>& words) {
  out.line().add("enum", words).add("default", words.front());
}

/// Those of an object allow its keys, and comments.
void write_rules(Writer& out, const ProblemKey& key) {
  if (*key.kind.schema != '\0') return void(out.line().raw(key.kind.schema));
  if (key.field.words && key.required) return void(out.line().add("enum", key.field.words()));
  if (key.field.words) return write_choice(out, key.field.words());
  const std::string parent = std::string(key.path) + "/";
  std::vector<std::string> required;
  for (const ProblemKey& each : problem_keys()) {
    if (each.parent() == parent && each.required) required.emplace_back(each.name());
  }
  out.line().add("type", "object");
  write_properties(out.line().key("properties"), parent);
  out.line().key("patternProperties").object([&] { out.add("^[_$]", true); });
  out.line().add("additionalProperties", false).line().some("required", required);
}

void write_properties(Writer& out, std::string_view parent) {
  out.object(Layout::Lines, [&] {
    for (const ProblemKey& key : problem_keys()) {
      if (key.parent() != parent) continue;
      out.key(key.name()).object(Layout::Groups, [&] {
        write_rules(out, key);
        out.line().add("description", key.says);
      });
    }
  });
}

/// The definition `kind` for each of these steps or givens.
void write_matrices(Writer& out, const std::vector<std::string>& ids, const std::string& kind) {
  out.object(Layout::Lines, [&] {
    for (const std::string& id : ids) {
      const StepInfo& info = *find_step_info(id);
      const std::string says = std::string(info.symbol) + ", " + info.title + ": " + info.row_axis +
                               " × " + info.col_axis + ".";
      out.key(id).object([&] { out.add("$ref", "#/$defs/" + kind).add("description", says); });
    }
  });
}

/// The rules for the parameters of each operation that has any.
void write_all_parameters(Writer& out) {
  out.list(operations(), Layout::Lines, [&](const Operation* operation) {
    if (operation->fields.empty()) return;
    const auto write_operation = [&] {
      out.key("op").object([&] { out.add("const", operation->name); });
    };
    out.object(Layout::Lines, [&] {
      out.key("if").object([&] { out.key("properties").object(write_operation); });
      out.key("then").object([&] {
        if (needs_parameters(*operation)) out.add("required", std::vector{"parameters"});
        out.key("properties").object([&] { write_parameter_rules(out, *operation); });
      });
    });
  });
}

/// The settings that a trace has only if they differ from their defaults: the words and numbers
/// that the options take, by the names of the options.
void write_other_settings(Writer& out) {
  for (const ProblemOption& option : problem_options()) {
    const ProblemKey& key = *find_key(option.pointer.substr(1));
    if (key.path == "ids") continue;  // an input
    std::string name = option.name;
    std::replace(name.begin(), name.end(), '-', '_');
    if (name == "heads" || name == "kv_heads" || name == "scale") continue;  // always there
    out.key(name).object([&] {
      key.field.words ? write_choice(out, key.field.words()) : void(out.raw(key.kind.schema));
    });
  }
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

/// What fills a gap in lines that are `indent` deep.
template <class Write>
std::string filling(std::size_t indent, Write write) {
  Writer out(json::Spacing::Lines, indent);
  write(out);
  return out.text();
}

std::vector<Filled> filled_schemas() {
  const std::string settings = filling(
      7, [](Writer& out) { out.object(Layout::Hanging, [&] { write_other_settings(out); }); });
  const auto matrices = [](std::vector<std::string> ids, std::string kind) {
    return [=](Writer& out) { write_matrices(out, ids, kind); };
  };
  const std::pair<std::string, std::string> gaps[] = {
      {"\"<keys of a problem>\"", filling(2, [](Writer& out) { write_properties(out, ""); })},
      {"\"<other settings>\": true", settings.substr(1, settings.size() - 2)},  // no braces
      {"\"<steps>\"", filling(6, matrices(step_ids(), "step"))},
      {"\"<givens>\"", filling(6, matrices(given_ids(), "step"))},
      {"\"<parameters of operations>\"", filling(6, write_all_parameters)},
      {"\"<matrices of steps>\"", filling(2, matrices(step_ids(), "answer"))},
      {"\"<languages>\"", Writer().value(language_codes()).text()},
      {"\"<presets>\"", Writer().value(preset_names()).text()},
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
