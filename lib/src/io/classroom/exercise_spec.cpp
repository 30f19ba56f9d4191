// Reads an exercise as a teacher writes it: a preset, and what differs from it.
#include <memory>

#include "attn/sheet_file.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "io/classroom/spec_fields.hpp"

namespace attn {
namespace {

/// The preset of that name.
ExerciseSpec preset_spec(const std::string& name) {
  std::vector<std::string> names;
  for (const ExercisePreset& preset : exercise_presets()) {
    if (preset.name == name) return preset.spec;
    names.emplace_back(preset.name);
  }
  throw input_error(
      {.id = "unknown-preset",
       .what = name.empty() ? "the exercise does not say which preset it begins with"
                            : "there is no preset \"" + name + "\"" + did_you_mean(name, names),
       .places = {{.pointer = name.empty() ? "" : "/preset"}},
       .fix = "Choose " + either(names) + "."});
}

/// The preset that the file names, or "".
std::string preset_in(const json::Document& file) {
  const json::Node* preset = json::find(file.root, "preset");
  return preset == nullptr ? "" : json::read_text({file, *preset, "/preset"});
}

}  // namespace

ExerciseSpec parse_exercise_spec(std::string_view bytes, const std::string& name,
                                 const std::string& preset) {
  const auto file = std::make_shared<const json::Document>(json::parse(bytes, name));
  try {
    ExerciseSpec read;  // for what is wrong with the file whatever it begins with
    read_spec({*file, file->root, ""}, "an exercise", read);
    ExerciseSpec spec = preset_spec(preset.empty() ? preset_in(*file) : preset);
    const std::string begins_with = spec.preset;
    read_spec({*file, file->root, ""}, "an exercise", spec);
    spec.preset = begins_with;
    return spec;
  } catch (const Error& error) {
    throw SourceMap(file).locate(error);
  }
}

}  // namespace attn
