// What was handed in, with the printed numbers of the sheet put back.
#pragma once

#include <vector>

#include "attn/teach/grading.hpp"

namespace attn {

/// One matrix for each step of the sheet: the student's cells in its blanks, the printed numbers
/// elsewhere. A step that was not handed in is blank; a matrix of another shape stays as it is.
/// A blank for which two matrices hold two numbers is unreadable. Names that are not steps are
/// kept, so that the check can say so. Adds flags for printed cells that were changed, and for
/// second matrices. Throws as grade_sheet does.
Answers restored(const Trace& truth, const Sheet& original, const Answers& submitted,
                 std::vector<Flag>& flags);

}  // namespace attn
