// What was handed in, with everything printed as it was printed.
#pragma once

#include <vector>

#include "attn/grading.hpp"

namespace attn {

/// One matrix for each step of the sheet: the student's cells in its blanks, the printed numbers
/// elsewhere. A step that was not handed in is blank; a matrix of another shape stays as it is.
/// Names that are not steps are kept, so that the check can say so. Adds a flag for printed cells
/// that were changed. Throws as grade_sheet does.
Answers restored(const Trace& truth, const Sheet& original, const Answers& submitted,
                 std::vector<Flag>& flags);

}  // namespace attn
