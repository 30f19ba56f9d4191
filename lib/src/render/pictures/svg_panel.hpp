// One matrix of an SVG picture.
#pragma once

#include <string>
#include <vector>

#include "attn/render/heatmap.hpp"
#include "render/pictures/svg_canvas.hpp"
#include "render/terminal/number.hpp"

namespace attn {

/// The colours of a picture: those of a palette or, by default, half of one, beginning nearly
/// white, as on paper.
struct SvgColors {
  Palette palette = Palette::BlueOrange;
  double low = 0.5, high = 0.0;  ///< where on the palette the colours begin and end

  std::string fill(double at) const;
  const char* text(double at) const;  ///< on that fill
};

/// What all matrices of a picture have in common.
struct SvgStyle {
  SvgColors colors;
  NumberFormat format;
  bool numbers = true;  ///< in the cells; without them, cells are small and column labels turned
};

/// The cell's text: its number, if the style has numbers, and the sign of its mark, if it has one;
/// empty for hidden cells.
std::string svg_cell_text(const HeatPanel& panel, std::size_t at, const SvgStyle& style);

/// The sign of a mark in cells and legend; empty for None and Hidden, which have none.
const char* svg_sign(HeatMark mark);

class SvgPanel {
 public:
  SvgPanel(const HeatPanel& panel, const SvgStyle& style);

  Units width() const;
  Units height() const;
  void draw(SvgCanvas& canvas, Units left, Units top) const;

 private:
  Units grid_left() const;
  Units grid_top() const;
  void draw_labels(SvgCanvas& canvas, Units left, Units top) const;
  void draw_row(SvgCanvas& canvas, std::size_t row, Units left, Units top) const;
  void draw_cell(SvgCanvas& canvas, std::size_t at, Units x, Units y) const;

  const HeatPanel& panel_;
  const SvgStyle& style_;
  std::vector<std::string> rows_, cols_;  ///< labels
  Units cell_ = 0, line_ = 0;             ///< width and height of a cell
};

}  // namespace attn
