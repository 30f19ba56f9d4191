// How the verdict on a cell looks, in every format.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "attn/document.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {

struct VerdictMark {
  const char* sign;
  const char* ascii;
  const char* word;     ///< in a sentence
  const char* meaning;  ///< in a legend
  Paint paint;

  std::string text(bool in_ascii) const { return in_ascii ? ascii : sign; }
};
const VerdictMark& mark_of(CellVerdict verdict);

/// The numbers of the rows that a grid shows.
std::vector<std::size_t> shown_rows(const Grid& grid);

/// The signs of the marks that are shown, each with its meaning.
std::vector<std::pair<std::string, std::string>> mark_legend(const std::vector<const Grid*>& grids,
                                                             bool ascii);

}  // namespace attn
