// Takes presets, also with two mistakes to be quick, and makes the usual sheets of each once.
#include "support/exercises.hpp"

#include <algorithm>
#include <map>

namespace attn::testing {

ExerciseSpec spec_of(const std::string& preset) {
  const auto presets = exercise_presets();
  ExerciseSpec spec = std::find_if(presets.begin(), presets.end(), [&](const ExercisePreset& each) {
                        return each.name == preset;
                      })->spec;
  spec.name = "first";
  return spec;
}

ExerciseSpec quick_spec_of(const std::string& preset) {
  ExerciseSpec spec = spec_of(preset);
  spec.mistakes = {"scale.missing", "softmax.columns"};
  return spec;
}

ExerciseVariant only_sheet(const ExerciseSpec& spec, const std::string& salt,
                           const std::string& student) {
  return make_exercise(spec, salt, {&student, 1}).front();
}

const std::vector<ExerciseVariant>& usual_sheets(const std::string& preset) {
  static const std::vector<std::string> students = {"s001", "b"};
  static std::map<std::string, std::vector<ExerciseVariant>> made;
  const auto at = made.find(preset);
  if (at != made.end()) return at->second;
  return made.emplace(preset, make_exercise(spec_of(preset), "salt", students)).first->second;
}

const ExerciseVariant& usual_sheet(const std::string& preset) {
  return usual_sheets(preset).front();
}

}  // namespace attn::testing
