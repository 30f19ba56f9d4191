// Grades a find-the-bug sheet.
#pragma once

#include "attn/grading.hpp"

namespace attn {

/// Fills in the report, the bug and the points of a grade whose truth is there: half of
/// `original.bug_points` for the first wrong step, half for the code.
void grade_bug(const Sheet& original, const BugAnswer& answer, Grade& grade);

}  // namespace attn
