// How every number of some steps was made, stored compactly for pages that explain each cell.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

/// Arithmetic that many cells of a step share. Numbers are places in braces: {0} is the first leaf.
struct CellPattern {
  std::string numbers;  ///< "e^{0} / (e^{1} + e^{2})"; empty if nothing was computed
  /// The same with its parts computed, "{#0} / {#1}": places in CellOrigins::parts. Empty if there
  /// are no such parts.
  std::string values;
  std::vector<PatternLeaf> leaves;
  /// Whether a constant in `numbers`, or in `values`, is rounded.
  bool numbers_rounded = false, values_rounded = false;
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
  std::vector<std::size_t> pattern;        ///< one per number; none for givens
  std::vector<std::vector<double>> parts;  ///< for each number, the values in its pattern
  std::vector<std::string> remarks;        ///< "hidden by causal: the key comes later"; first ""
  std::vector<std::size_t> remark;         ///< one per number
  std::vector<bool> hidden;                ///< one per number
};

/// The id of a step in a document about several traces: "left:weights"; unchanged without a side.
inline std::string side_id(const std::string& side, const std::string& id) {
  return side.empty() ? id : side + ":" + id;
}

/// Steps in the order of the computation, each after those it was made from.
using CellBook = std::vector<CellOrigins>;

}  // namespace attn
