// Grades a sheet before anybody sees it.
#pragma once

#include "attn/teach/exercise.hpp"
#include "teach/exercise/blindness.hpp"

namespace attn {

/// `prove_sheet` and `solved_sheet` where the paper and the suspects are there already.
Proof prove(const SheetModel& paper, const Sheet& sheet, const Sheet& key, const Suspects& suspects,
            std::span<const std::string> enabled, bool force);

/// The most that a sheet filled with zeros may score; more is accepted only with `force`.
inline constexpr double kMostForZeros = 0.5;
/// "a sheet of zeros scores 90%"
std::string zeros_text(double score);

/// The score of a solver who makes no mistake but rounds every number.
double honest_score(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects);

/// The score of a sheet whose blanks are all filled with zeros.
double zero_score(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects);

Sheet solved(const SheetModel& paper, const Sheet& sheet, const Suspects& suspects);

}  // namespace attn
