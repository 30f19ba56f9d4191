// Makes inverse sheets: chooses the blanks, and proves that only what fits earns points.
#pragma once

#include "attn/teach/exercise.hpp"
#include "core/tensor/integer_draws.hpp"
#include "teach/exercise/sheet_model.hpp"

namespace attn {

/// Throws Error (usage) for steps that an inverse sheet cannot have: those with points must be
/// given, and at least one computed step is printed.
void require_inverse_steps(const ExerciseSpec& spec, const Sheet& sheet);

/// Chooses the blanks of the steps with points; a share is one of each row.
void choose_inverse_blanks(SheetModel& paper, const BlankRule& rule, Draws& draws);

/// The share of the points of an inverse sheet with these numbers in its blanks.
double inverse_score(const SheetModel& paper, const Sheet& sheet);

/// Adds to a proof that a wrong number in any blank costs points.
void prove_that_blanks_matter(Proof& proof, const SheetModel& paper, const Sheet& key);

}  // namespace attn
