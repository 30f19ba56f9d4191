// The lines below a matrix: what was left out or cut, what its signs mean.
#pragma once

#include <set>
#include <string>

#include "render/terminal/grid_layout.hpp"

namespace attn {

/// What stands below a matrix: what was left out of it, the full text of labels that were cut and
/// not told before, what its numbers and, if `grid.legend`, its signs mean.
std::string grid_notes(const GridTexts& texts, const Excerpt& first_block,
                       std::set<std::string>& told);

}  // namespace attn
