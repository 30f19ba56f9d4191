// Matrices of numbers as HTML tables.
#pragma once

#include <string>
#include <vector>

#include "attn/document.hpp"

namespace attn {

/// Matrices that belong together, each as a table in a region that scrolls. `fills`: blanks can be
/// filled in.
std::string page_grids(const std::vector<const Grid*>& grids, int precision, bool fills);

/// A number inside arithmetic: infinities and NaN as the tables have them.
std::string page_short_number(double value, int precision);

/// "hatched: hidden, coloured: differs": what these styles of cells mean; empty if no matrix is to
/// explain them, or none has such cells.
std::string page_legend(const std::vector<const Grid*>& grids);

}  // namespace attn
