// Checklists as text.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/writers.hpp"

namespace attn {

/// Aligned text: "✓  [5/9]  S   scores   4×4   16 of 16".
std::string checklist_text(const Checklist& list, const TextStyle& style);

/// A checklist as sentences: "right: step 5 of 9, S, scores, 4×4, 16 of 16".
std::vector<std::string> checklist_lines(const Checklist& list);

Table checklist_table(const Checklist& list, bool ascii);

}  // namespace attn
