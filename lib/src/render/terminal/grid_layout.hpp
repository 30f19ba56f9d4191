// The widths of the parts of a matrix, and which parts are shown.
#pragma once

#include <string>
#include <vector>

#include "attn/language.hpp"
#include "attn/writers.hpp"
#include "render/terminal/column_blocks.hpp"
#include "render/terminal/number.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {

inline constexpr const char* kGridIndent = "    ";

/// The format and width of numbers in matrices of one group.
struct GridNumbers {
  NumberFormat format;
  std::ptrdiff_t width = 0;
};

/// The text of a score that a mask hid: a large fill such as "-1e+09" in its shortest form,
/// other numbers in `format`.
std::string fill_text(double x, const NumberFormat& format);

/// Wider than any line.
inline constexpr std::ptrdiff_t kEndless = std::ptrdiff_t{1} << 30;

/// One format and one width for numbers; `others` do not affect the format.
GridNumbers numbers_of(const std::vector<double>& numbers, const std::vector<double>& others,
                       const TextStyle& style, int precision);

/// The same for matrices of one step, so that heads can be compared.
GridNumbers numbers_of(const std::vector<const Grid*>& grids, const TextStyle& style,
                       int precision);

/// What the corner between the labels says: which side is which.
std::string corner_text(const Grid& grid);

/// Whether `grid` must not be beside the one before: it starts a row, or is the first head of
/// another batch entry.
bool begins_entry(const Grid& before, const Grid& grid);

/// The labels and sums of one grid, how wide everything is, and what of it is shown.
struct GridTexts {
  const Grid& grid;
  const TextStyle& style;
  GridNumbers numbers;
  std::ptrdiff_t spacing;  ///< between columns: 2, or 1 where it is tight
  Excerpt rows_shown;
  std::vector<std::string> rows, cols;  ///< labels
  std::vector<std::string> sums;        ///< of weights, one per shown row
  std::vector<std::ptrdiff_t> widths;   ///< of the columns
  std::ptrdiff_t label_width = 0, sum_width = 0, sign_width = 0;
  std::ptrdiff_t tail_gap = 3;  ///< before the sums, and before the strip
  bool has_strip = false;
  std::vector<Excerpt> blocks;  ///< columns that are side by side, block below block

  GridTexts(const Grid& grid, const TextStyle& style, const GridNumbers& numbers,
            std::ptrdiff_t spacing);

  /// Of a sign in the strip; 0 without a strip.
  std::ptrdiff_t strip_width() const;
  std::string dots() const { return style.ascii ? "..." : "…"; }
  /// Appends the number at row `r` and column `c`, or the sign in its place, as wide as the column.
  void append_cell(std::string& text, std::size_t r, std::size_t c) const;

  /// Cells of a line without its indent; kEndless if the matrix comes in blocks, or some of its
  /// columns are left out.
  std::ptrdiff_t width() const;

 private:
  void add_columns();
  void add_sums();
  void add_strip();
  void add_blocks();
  std::string cell(std::size_t at) const;
  std::string plain_cell(std::size_t at) const;  ///< without a mark
  /// Cells of a whole row.
  std::ptrdiff_t total() const;
};

/// The signs for shares of a whole, from little to much.
const char* shade(double share, bool ascii);
/// The sign after a number that differs.
inline constexpr const char* kMark = "*";
/// The sign for a weight that is 0 because its key is hidden.
const char* hidden_sign(bool ascii);
/// What that sign means, in the legends of all formats.
inline constexpr const char* kExactlyZero = in_catalogue("hidden: exactly 0");

}  // namespace attn
