// Points in place of cells.
#pragma once

#include <set>
#include <string>

#include "attn/check.hpp"
#include "attn/teach/sheet.hpp"

namespace attn {

/// Gives every step of a report its points: those of the sheet, divided among its blanks; points
/// by hand stay. A cell that follows earns the share `follow_through`, unless an earlier step that
/// it uses does not let it. The report must have all steps of the sheet, or its questions.
void add_points(const Trace& truth, const Sheet& sheet, double follow_through, CheckReport& report);

/// How many blanks of a step earn points: those that are right and, unless an earlier step does not
/// let them, those that follow.
Index earning_blanks(const SheetStep& asked, const StepReport& step);

/// Whether numbers that follow from a step earn points: at least half of its blanks do, or the
/// teacher has dropped it, excused the student from it, or given at least half of its points.
bool lets_follow(const SheetStep& asked, const StepReport& step);

/// The steps of the sheet that a step is computed from: of its inputs, or of theirs where they are
/// not on the sheet, and so on.
std::set<std::string> used_on_sheet(const Trace& truth, const Sheet& sheet, const Step& step);

}  // namespace attn
