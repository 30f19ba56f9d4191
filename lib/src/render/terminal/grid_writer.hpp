// Matrices as aligned text.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "attn/writers.hpp"
#include "core/trace/text_pieces.hpp"
#include "render/terminal/grid_layout.hpp"

namespace attn {

/// Writes the matrices of one document: aligned, side by side or, where the style asks for it, in
/// blocks of columns, with long labels cut or only the edges shown.
class GridWriter {
 public:
  GridWriter(const TextStyle& style, int precision) : style_(style), precision_(precision) {}

  /// Matrices that belong together, side by side where they fit, each with its caption and labels,
  /// and what explains their signs.
  void write(const std::vector<const Grid*>& grids, TextPieces& out);

 private:
  std::vector<GridTexts> texts_of(const std::vector<const Grid*>& grids) const;
  std::vector<std::vector<std::size_t>> rows_in(const std::vector<GridTexts>& texts) const;
  std::ptrdiff_t room() const { return style_.width - 1 - display_width(kGridIndent); }

  TextStyle style_;
  int precision_;
  std::set<std::string> noted_;  ///< labels whose full text was given already
};

}  // namespace attn
