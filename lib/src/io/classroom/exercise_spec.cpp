// Reads an exercise as a teacher writes it: a preset, and what differs from it.
#include <memory>

#include "attn/io/sheet_file.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"
#include "io/classroom/spec_fields.hpp"

namespace attn {
namespace {

/// The preset that the file names; "" for one with a problem, which needs none.
std::string preset_in(const json::Document& file) {
  if (const json::Node* preset = json::find(file.root, "preset"))
    return json::read_text({file, *preset, "/preset"});
  if (json::find(file.root, "problem") != nullptr) return "";
  throw input_error({.id = "missing-key",
                     .what = "expected the key \"preset\", found an object without it",
                     .places = {{.pointer = ""}},
                     .fix = "Add the preset to start from, such as \"preset\": \"self\"."});
}

}  // namespace

const ExercisePreset& find_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const ExercisePreset& preset : exercise_presets()) {
    if (preset.name == name) return preset;
    names.emplace_back(preset.name);
  }
  throw Error(ErrorKind::Usage,
              {{.id = "unknown-preset",
                .what = "there is no preset \"" + name + "\"" + did_you_mean(name, names),
                .places = {{.pointer = "/preset"}},
                .fix = "Choose " + either(names) + "."}});
}

SpecFile parse_exercise_spec(std::string_view bytes, const std::string& name,
                             const std::string& preset, const ReadFile& read_file) {
  const auto file = std::make_shared<json::Document>(json::parse(bytes, name));
  file->read_file = read_file;
  const json::Value root{*file, file->root, ""};
  SpecFile read{{}, SourceMap(file)};
  try {
    read_spec(root, "an exercise", read.spec);  // reports what is wrong whatever the preset
    const std::string begins_with = preset.empty() ? preset_in(*file) : preset;
    read.spec = begins_with.empty() ? ExerciseSpec{} : find_preset(begins_with).spec;
    read_spec(root, "an exercise", read.spec);
    read.spec.preset = begins_with;
    file->read_file = nullptr;  // with what it keeps
    if (!read.spec.problems.empty() && json::find(file->root, "steps") == nullptr)
      read.spec.steps = usual_steps(read.spec);
    return read;
  } catch (const Error& error) {
    throw Error(ErrorKind::Input, read.places.locate(error).diagnostics(), error.omitted());
  }
}

}  // namespace attn
