// A sheet as it is drawn: a random problem, or the teacher's, and nothing filled in yet.
#pragma once

#include <cstdint>
#include <string>

#include "attn/teach/exercise.hpp"
#include "teach/exercise/sheet_model.hpp"

namespace attn {

/// The problem, steps and points of a sheet; its steps have no numbers yet.
Sheet drawn_sheet(const ExerciseSpec& spec, std::uint64_t seed, const std::string& student = "");

/// Prints the numbers of the paper, and leaves its blanks empty.
void print(Sheet& sheet, const SheetModel& paper);

}  // namespace attn
