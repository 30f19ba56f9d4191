// Exercise sheets as documents.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/teach/sheet.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The sheet to print: what to do, what is given, and its steps with their blanks. A solved sheet
/// gives the key. `trace` is the computation of its problem.
Document sheet_document(const Sheet& sheet, const Trace& trace);

/// The teacher's instructions, a paragraph for each line that holds text.
std::vector<std::string> own_instructions(const Sheet& sheet);

}  // namespace attn
