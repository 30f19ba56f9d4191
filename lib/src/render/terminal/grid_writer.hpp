// Matrices as aligned text.
#pragma once

#include <set>
#include <string>

#include "attn/writers.hpp"
#include "render/terminal/grid_layout.hpp"

namespace attn {

/// Writes the matrices of one document: aligned, and where the style asks for it in blocks of
/// columns, with long labels cut or only the edges shown.
class GridWriter {
 public:
  GridWriter(const TextStyle& style, int precision) : style_(style), precision_(precision) {}

  /// The matrix with its caption, its labels and what explains its signs.
  std::string text(const Grid& grid, const GridNumbers& numbers);

 private:
  TextStyle style_;
  int precision_;
  std::set<std::string> told_;  ///< labels whose full text was given already
};

}  // namespace attn
