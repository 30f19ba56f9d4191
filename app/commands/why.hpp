// Why a number on a student's sheet earns points, or none.
#pragma once

#include <string>

#include "attn/document.hpp"
#include "attn/teach/gradebook.hpp"

namespace attn::app {

/// `why` is STUDENT:STEP:ROW,COL, with heads STUDENT:STEP:HEAD,ROW,COL. Throws Error: usage for a
/// student or a cell that does not exist; input, "not-gradable" where nothing is graded.
Document why_document(const ClassBook& book, const std::string& why, double follow_through);

}  // namespace attn::app
