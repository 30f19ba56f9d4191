// The tree of cells behind one number.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "render/story/cells/worked_cell.hpp"

namespace attn {

/// A computed cell, and the computed cells in its arithmetic.
struct CellNode {
  StepCell place;
  int depth = 0;
  std::vector<std::size_t> parts;  ///< indices into CellTree::nodes
  std::vector<std::size_t> known;  ///< nodes in its arithmetic too, but parts of others
};

/// The cells that a number was made from, level by level; each cell once, where it is met first.
struct CellTree {
  std::vector<CellNode> nodes;  ///< the first is the number itself
  std::size_t left = 0;         ///< cells of the next level that are not in the tree
};

/// Cells that are left out are counted at least this far; there may be more.
constexpr std::size_t kMostCounted = 1000;

/// `depth` levels of cells below the first one; without it, as many as may fit a screen, one line
/// each, and the first level even if it is somewhat larger. Levels are whole: one that would go
/// beyond that, or beyond 10000 cells, is left out.
CellTree cell_tree(const Trace& trace, const StepCell& place, std::optional<int> depth);

}  // namespace attn
