// Points in place of cells.
#pragma once

#include "attn/check.hpp"
#include "attn/teach/sheet.hpp"

namespace attn {

/// Gives every step of a report its points: those of the sheet, divided among its blanks. A cell
/// that follows from earlier ones earns the share `follow_through`.
void add_points(const Sheet& sheet, double follow_through, CheckReport& report);

}  // namespace attn
