// Matrices for documents that are read elsewhere: whole, without a screen's limits.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "render/terminal/number.hpp"

namespace attn {

/// A matrix whose labels are unique and whose numbers have the format of all matrices of its step.
struct MarkupGrid {
  const Grid& grid;
  NumberFormat format;
  std::vector<std::size_t> shown;       ///< rows
  std::vector<std::string> rows, cols;  ///< labels of what is shown, nothing cut

  std::size_t at(std::size_t row, std::size_t col) const { return shown[row] * cols.size() + col; }
  bool is(CellKind kind, std::size_t at) const { return grid.kinds[at] == kind; }
  /// A score that a mask replaced by a number, which does not look hidden by itself.
  bool is_filled(std::size_t at) const;
  bool differs(std::size_t at) const { return !grid.gaps.empty() && grid.gaps[at] > 0.0; }
  std::string number(std::size_t at) const;
};

/// The matrices of a run of blocks.
std::vector<MarkupGrid> markup_grids(const std::vector<const Grid*>& grids, const TextStyle& style,
                                     int precision);

/// Signs of a matrix that need an explanation.
enum class GridSign { Hidden, Filled, Differs };
/// Those that are in these matrices, if one of them is to explain its signs; with the explanations.
std::vector<std::pair<GridSign, std::string>> signs_of(const std::vector<MarkupGrid>& grids);

}  // namespace attn
