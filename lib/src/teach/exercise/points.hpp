// Points in place of cells.
#pragma once

#include <set>
#include <string>

#include "attn/check.hpp"
#include "attn/teach/sheet.hpp"

namespace attn {

/// Gives every step of a report its points: those of the sheet, divided among its blanks. A cell
/// that follows earns the share `follow_through`, unless fewer than half of the blanks of an
/// earlier step that it uses are right. The report must have all steps of the sheet.
void add_points(const Trace& truth, const Sheet& sheet, double follow_through, CheckReport& report);

/// The steps of the sheet that a step is computed from: of its inputs, or of theirs where they are
/// not on the sheet, and so on.
std::set<std::string> used_on_sheet(const Trace& truth, const Sheet& sheet, const Step& step);

}  // namespace attn
