// The teacher's own problems, in place of drawn ones.
#pragma once

#include <string>

#include "attn/teach/exercise.hpp"

namespace attn {

/// The student's own problem, with the exercise's title. Throws Error (usage, "exercise-spec") if
/// only others have one.
ProblemDraft own_problem(const ExerciseSpec& spec, const std::string& student);

/// How many cells a sheet may have that nobody drew.
inline constexpr Index kMostCells = 10000;

}  // namespace attn
