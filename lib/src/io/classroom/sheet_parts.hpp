// Words that the reader and the writer of sheets share.
#pragma once

#include <string>

#include "attn/teach/sheet.hpp"

namespace attn {

inline constexpr const char* kSheetFormat = "attn.sheet";
inline constexpr const char* kBug = "bug";  ///< key of the answer to "find the bug", and its points

/// "Q and K are left out; each has 3 columns. " on a sheet with a mistake to find: what the scale
/// needs. "" if nothing is left out.
std::string left_out_text(const Sheet& sheet);

/// What the student has to do in the file, unless the teacher says something else.
std::string usual_instructions(const Sheet& sheet);

}  // namespace attn
