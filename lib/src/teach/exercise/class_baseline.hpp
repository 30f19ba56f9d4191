// What all sheets of a class have in common.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "attn/teach/exercise.hpp"
#include "teach/exercise/blindness.hpp"

namespace attn {

/// What every sheet of a class is measured by, so that no student has it easier than another.
struct ClassBaseline {
  std::optional<double> work = {};   ///< the usual amount; none for the teacher's own problems
  std::vector<std::string> enabled;  ///< in alphabetical order: what every sheet must show
  Ties ties;                         ///< what a sheet need not tell apart
  bool ties_matter = true;

  bool is_usual_work(double work) const;
  /// Whether a sheet shows what it must.
  bool is_enough(const Sight& sight) const;
};

/// Read off some problems of the same kind; they depend on the salt and the name of the exercise,
/// not on the roster. Throws Error (usage, "exercise-…") if no sheet can show what is listed.
ClassBaseline class_baseline(const ExerciseSpec& spec, std::string_view salt);

}  // namespace attn
