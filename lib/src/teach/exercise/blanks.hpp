// Which cells of a sheet are blank.
#pragma once

#include "attn/exercise.hpp"
#include "core/tensor/integer_draws.hpp"
#include "teach/exercise/blindness.hpp"

namespace attn {

/// Chooses the blanks of the asked steps: first those in which the mistakes show and differ from
/// each other, each with two cells where that is possible, then any, up to the share that the rule
/// wants.
void choose_blanks(Paper& paper, const BlankRule& rule, const std::vector<Candidate>& mistakes,
                   Draws& draws);

}  // namespace attn
