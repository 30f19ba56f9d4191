// How every number of some steps was made, stored compactly for pages that explain each cell.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "attn/core/expression.hpp"
#include "attn/tensor.hpp"

namespace attn {

/// One coordinate of a cell that another was made from: fixed, or relative to that other cell.
struct Coordinate {
  char axis = 0;     ///< 'b', 'h', 'r' or 'c': which coordinate of the other cell; 0: fixed
  Index offset = 0;  ///< what is added to it; if fixed, the coordinate itself
};

/// A number in a pattern: which input of the step, and where in it.
struct PatternLeaf {
  int input = 0;
  Coordinate batch, head, row, col;
};

/// Arithmetic that many cells of a step share: a tree in which each leaf has a place instead of a
/// cell.
struct CellPattern {
  Expression how;                   ///< its values, and the cells of its leaves, are of one cell
  std::vector<PatternLeaf> leaves;  ///< those of `how`, in order
  /// What the number stands in for, where nothing is computed: a hidden score.
  std::optional<PatternLeaf> replaces = {};
};

/// How the cells of one step were made.
struct CellOrigins {
  std::string id, name, title;  ///< "weights", "A", "attention weights"
  Shape shape;
  bool kv_heads = false;  ///< its heads are key/value heads, each for several query heads
  std::vector<double> numbers;
  /// The names of rows and columns: one list for all matrices, or one for each.
  std::vector<std::vector<std::string>> rows, cols;
  std::vector<std::string> inputs;  ///< ids
  std::vector<CellPattern> patterns;
  std::vector<std::size_t> pattern;  ///< one per number; none for givens
  /// For each number, the values of the parts of its pattern that are computed in between.
  std::vector<std::vector<double>> parts;
  std::vector<bool> rounded;         ///< one per number: the number type changed it
  std::vector<std::string> remarks;  ///< "hidden by causal: the key comes later"; first ""
  std::vector<std::size_t> remark;   ///< one per number
  std::vector<bool> hidden;          ///< one per number
};

/// The id of a step in a document about several traces: "left:weights"; unchanged without a side.
inline std::string side_id(const std::string& side, const std::string& id) {
  return side.empty() ? id : side + ":" + id;
}

/// Steps in the order of the computation, each after those it was made from.
using CellBook = std::vector<CellOrigins>;

}  // namespace attn
