// Exercise sheets as documents.
#pragma once

#include "attn/document.hpp"
#include "attn/teach/sheet.hpp"
#include "attn/trace.hpp"

namespace attn {

/// The sheet to print: what to do, what is given, and its steps with their blanks. A solved sheet
/// gives the key. `trace` is the computation of its problem.
Document sheet_document(const Sheet& sheet, const Trace& trace);

}  // namespace attn
