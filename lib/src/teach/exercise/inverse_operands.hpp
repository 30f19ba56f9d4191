// The matrices of an inverse sheet that have blanks, in the problem and out of it.
#pragma once

#include <string>

#include "attn/teach/sheet.hpp"

namespace attn {

bool has_blanks(const SheetStep& step);

/// The problem of a sheet, with the matrices that have blanks as they are printed, 0 in the blanks.
ProblemDraft with_operands(const Sheet& sheet);

/// The problem of a sheet without the matrices that have blanks.
ProblemDraft without_operands(const Sheet& sheet);

/// Whether a problem gives that matrix as the sheet would: by its own name, and whole.
bool gives(const ProblemDraft& problem, const std::string& id);

}  // namespace attn
