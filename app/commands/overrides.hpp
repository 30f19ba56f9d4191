// What a teacher decides after grading: points for single steps, excused steps, late penalties.
#pragma once

#include <string>
#include <vector>

#include "attn/teach/gradebook.hpp"
#include "command.hpp"

namespace attn::app {

/// Changes the grades as a table with the columns student, step, points and reason says. "excused"
/// as points takes the step out of that student's grade; without a file that counts, it gives no
/// grade. Points by hand do, as the options say. Throws Error (input, id "table") for a line that
/// names nobody, no step of the sheet, or no points.
void apply_overrides(const std::string& path, const GradeOptions& options, ClassBook& book,
                     const Streams& streams);

/// Takes off what a column of the roster says: "10%" of the student's points, or "1.5" points.
/// Throws Error (input, id "table") for anything else, and if there is no such column.
void apply_penalties(const std::string& column, ClassBook& book);

}  // namespace attn::app
