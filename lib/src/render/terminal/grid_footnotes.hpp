// The lines below a matrix: what was left out or cut, what its signs mean.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "render/terminal/grid_layout.hpp"

namespace attn {

/// What comes below matrices: what was left out of them, the full text of labels that were cut
/// (`noted`: those already given), what their numbers and, if `grid.legend`, their signs mean.
std::string grid_notes(const std::vector<GridTexts>& texts, std::set<std::string>& noted);

}  // namespace attn
