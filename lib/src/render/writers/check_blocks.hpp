// Checklists and maps of cells as text.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"
#include "attn/writers.hpp"

namespace attn {

/// Aligned text: "✓  [5/9]  S   scores   4×4   16 of 16".
std::string checklist_text(const Checklist& list, const TextStyle& style);

/// The matrices side by side where they fit, their signs below their columns, and a legend.
std::string mark_map_text(const MarkMap& map, const TextStyle& style);

/// The same as sentences: "right: step 5 of 9, S, scores, 4×4, 16 of 16".
std::vector<std::string> checklist_lines(const Checklist& list);

/// "query cat: the wrong, cat given."
std::vector<std::string> mark_map_lines(const MarkMap& map, bool ascii);

}  // namespace attn
