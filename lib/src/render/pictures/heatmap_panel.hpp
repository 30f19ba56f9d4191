// One matrix of a heat map as text: how cells are built and labelled.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/render/heatmap.hpp"
#include "render/terminal/column_blocks.hpp"
#include "render/terminal/grid_layout.hpp"
#include "render/terminal/side_by_side.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {

/// How a cell is built: "[gap][shades][number][shades]"; of an odd number of shades, one more comes
/// after the number. All of it has the cell's colour.
struct CellForm {
  bool numbers = true;
  std::ptrdiff_t gap = 0;     ///< spaces in front
  std::ptrdiff_t shades = 1;  ///< signs around the number, or instead of it
  bool widened = false;       ///< shades are added until the labels of the columns fit
  bool halves = false;        ///< two rows in a line
  bool signs = false;         ///< without numbers: "-" or "+" in front of the shade
  std::ptrdiff_t least = 0;   ///< how wide a cell is at least
};

/// What all panels of a picture have in common.
struct PanelStyle {
  TextStyle text;
  Palette palette = Palette::Cividis;
  GridNumbers numbers;
  std::optional<std::size_t> repeat;  ///< as in HeatLook
  bool compact = false;               ///< as in HeatLook: far more rows are shown
  bool diverging = false;             ///< as in HeatMap: shades show how far a number is from 0
  std::ptrdiff_t room = 0;            ///< cells of a line
};

/// The text of one panel.
class PanelText {
 public:
  PanelText(const HeatPanel& panel, const PanelStyle& style, const CellForm& form);

  std::ptrdiff_t cell_width() const { return cell_; }
  std::ptrdiff_t label_width() const { return label_; }  ///< with the space after it
  const CellForm& form() const { return form_; }
  std::size_t rows() const { return panel_.grid.row_labels.size(); }
  std::size_t columns() const { return panel_.grid.col_labels.size(); }
  const Excerpt& rows_shown() const { return rows_shown_; }
  std::ptrdiff_t width(std::size_t columns) const {
    return label_ + cell_ * static_cast<std::ptrdiff_t>(columns);
  }
  std::ptrdiff_t width() const { return width(columns()); }
  const Ruler& ruler() const { return style_.text.ruler; }
  /// What marks columns that are left out.
  std::string dots() const { return style_.text.ascii ? " ~ " : " … "; }

  /// Caption, titles, header and rows.
  std::vector<StyledLine> lines(const Excerpt& columns, const std::string& caption) const;

  /// The cells of a row, or with `halves` of two; `numbers`: with their numbers.
  void add_cells(StyledLine& line, std::size_t row, const Excerpt& columns, bool numbers) const;

  /// What the reader needs besides: the tokens of numbered rows and columns, after `whose`; the
  /// full text of cut labels.
  std::vector<std::string> footnotes(const std::string& whose) const;

 private:
  bool labels_fit() const;
  void choose_header();
  StyledLine header(const Excerpt& columns) const;
  StyledLine ticks(const Excerpt& columns) const;
  StyledLine row(std::size_t i, const Excerpt& columns, bool numbers) const;
  void add_cell(StyledLine& line, std::size_t at, bool numbers) const;
  void add_halves(StyledLine& line, std::size_t at) const;
  std::string filled(const char* sign, std::ptrdiff_t cells) const;

  const HeatPanel& panel_;
  const PanelStyle& style_;
  CellForm form_;
  std::ptrdiff_t wide_;                               ///< cells of a shade
  std::vector<std::string> rows_, full_rows_, cols_;  ///< labels
  Excerpt rows_shown_;
  bool indexed_ = false;  ///< columns go by their indices
  std::ptrdiff_t cell_ = 0, label_ = 0;
};

/// The word of a cell that has one, as text shows it.
std::string shown_word(const HeatPanel& panel, std::size_t at, const TextStyle& style);

/// The shade for a place on the palette: the larger the number, the denser; on a diverging palette,
/// the farther from 0, which has no shade. And how wide a shade is.
const char* place_sign(double at, const PanelStyle& style);
std::ptrdiff_t sign_width(const TextStyle& style);

}  // namespace attn
