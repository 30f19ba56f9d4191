// Words that the reader and the writer of sheets share.
#pragma once

#include <string>

#include "attn/teach/sheet.hpp"

namespace attn {

inline constexpr const char* kSheetFormat = "attn.sheet";
inline constexpr const char* kBug = "bug";  ///< key of the answer to "find the bug", and its points

/// What the student has to do in the file, unless the teacher says something else.
std::string usual_instructions(const Sheet& sheet);

}  // namespace attn
