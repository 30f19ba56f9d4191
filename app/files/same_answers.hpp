// Whether two files of a student are one hand-in: a sheet, and the table that belongs to it.
#pragma once

#include "files/submissions.hpp"

namespace attn::app {

/// Puts the ids of steps in place of other names of theirs, such as "[8/9]"; of more matrices than
/// any sheet has, all keep their names.
void use_step_ids(HandedIn& file, const Sheet& key);

/// The matrices of a file; of a table, as they are on the sheet.
Answers matrices_of(const HandedIn& file, const Sheet& sheet);

/// Whether two files hold the same answers to a sheet. Cells that cannot be read, or may be
/// in a matrix of another name, are never the same, nor are find-the-bug sheets.
bool have_same_answers(const HandedIn& a, const HandedIn& b, const Sheet& sheet);

}  // namespace attn::app
