// What is wrong with the specification of an exercise.
#pragma once

#include <optional>
#include <string>

#include "attn/error.hpp"
#include "attn/teach/exercise.hpp"

namespace attn {

/// Throws Error (usage, "exercise-…") for a spec that no problem can meet.
void check_spec(const ExerciseSpec& spec);

/// Throws Error (usage, "exercise-blind") if the sizes make a wrong scale right by accident, or two
/// wrong ones alike.
void check_sizes(const ExerciseSpec& spec);

/// Usage, with an id that begins with "exercise-".
Error spec_error(const char* id, std::string what, std::string fix, std::string setting = "");

}  // namespace attn
