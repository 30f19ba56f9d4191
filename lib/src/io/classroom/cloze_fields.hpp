// The fields of a cloze question, in Moodle's own notation.
#pragma once

#include <string>
#include <vector>

#include "attn/cloze.hpp"

namespace attn {

/// What each blank of each step is worth, as Moodle wants it: whole numbers in the proportions of
/// the points.
struct ClozeWeights {
  std::vector<long> steps;  ///< one blank of that step; 0 for a step without blanks
  long bug = 0;             ///< one of the two answers of "find the bug"
};
ClozeWeights cloze_weights(const Sheet& sheet);

/// "{3:NUMERICAL:=0.5:0.01#Right.~%0%1:0.01#Did you …?}"
std::string cloze_field(const ClozeBlank& blank, const Sheet& sheet, long weight);

/// "{2:MULTICHOICE:=right~wrong}"; options are in the order given.
std::string cloze_choice(const std::vector<std::string>& options, const std::string& right,
                         long weight);

}  // namespace attn
