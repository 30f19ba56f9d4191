// Exercises for tests.
#pragma once

#include <string>

#include "attn/teach/exercise.hpp"

namespace attn::testing {

/// The preset of that name as an exercise called "first".
ExerciseSpec spec_of(const std::string& preset);

/// The same with two mistakes to prove instead of all that it can show: made in less time.
ExerciseSpec quick_spec_of(const std::string& preset);

/// The sheet of a single student.
ExerciseVariant only_sheet(const ExerciseSpec& spec, const std::string& salt,
                           const std::string& student);

/// The sheets of "s001" and "b" with the salt "salt", and the first of them; each is made once.
const std::vector<ExerciseVariant>& usual_sheets(const std::string& preset);
const ExerciseVariant& usual_sheet(const std::string& preset);

}  // namespace attn::testing
