// Checklists and maps of cells as text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attn/document.hpp"
#include "attn/writers.hpp"

namespace attn {

/// Aligned text: "✓  [5/9]  S   scores   4×4   16 of 16".
std::string checklist_text(const Checklist& list, const TextStyle& style);

/// The matrices side by side where they fit, their signs below their columns, and a legend.
std::string mark_map_text(const MarkMap& map, const TextStyle& style);

/// A checklist as sentences: "right: step 5 of 9, S, scores, 4×4, 16 of 16".
std::vector<std::string> checklist_lines(const Checklist& list);

/// "query cat: the wrong, cat given"
std::vector<std::string> mark_map_lines(const MarkMap& map, bool ascii);

/// A checklist as rows of cells, the first of them the header.
std::vector<std::vector<std::string>> checklist_table(const Checklist& list, bool ascii);

/// What a map shows of one matrix, nothing cut.
struct MarkTexts {
  std::string corner;
  std::vector<std::string> rows, cols;          ///< labels
  std::vector<std::vector<std::string>> signs;  ///< of each of `rows`
};
MarkTexts mark_texts(const MarkGrid& grid, const TextStyle& style);

/// The signs that are in a map, each with its meaning.
std::vector<std::pair<std::string, std::string>> mark_legend(const MarkMap& map, bool ascii);

}  // namespace attn
