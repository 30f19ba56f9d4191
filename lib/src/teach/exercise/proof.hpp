// Grades a sheet before anybody sees it.
#pragma once

#include "attn/teach/exercise.hpp"
#include "teach/exercise/blindness.hpp"

namespace attn {

/// `prove_sheet` and `solved_sheet` where the paper and the suspects are there already.
Proof prove(const SheetModel& paper, const Sheet& sheet, const Sheet& key, const Suspects& suspects,
            std::span<const std::string> enabled, double most_for_guesses);

/// "a sheet of zeros scores 90% of the points, and 5% is the most"
std::string guess_text(const Proof& proof, double most);

/// The score of a solver who makes no mistake but rounds every number.
double honest_score(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects);

Sheet solved(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects);

}  // namespace attn
