// Writes a matrix as aligned columns with labels, strip and sums.
#include "render/terminal/grid_writer.hpp"

#include <cmath>

#include "attn/tool/text.hpp"
#include "render/terminal/grid_footnotes.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {
namespace {

Paint paint_of(const GridTexts& t, std::size_t at) {
  if (t.grid.kinds[at] != CellKind::Number) return kDim;
  if (!t.grid.shares || !std::isfinite(t.grid.numbers[at])) return kPlain;
  return {.kind = Paint::Kind::Heat, .at = t.grid.numbers[at], .palette = t.style.palette};
}

struct BlockWriter {
  const GridTexts& t;
  const Selection& block;
  bool last;
  std::string out;

  void put(const StyledLine& line) { out += line.text(t.style.color); }

  void titles() {
    StyledLine line(t.style.ruler);
    line.add(kGridIndent).add_left("", t.label_width + 2);
    line.add_right(t.grid.col_title, t.widths[block.members.front()], kDim);
    if (!t.grid.col_title.empty()) put(line);
  }

  void header() {
    StyledLine line(t.style.ruler);
    line.add(kGridIndent).add_left(t.grid.row_title, t.label_width, kDim).add(" ");
    for (std::size_t k = 0; k < block.members.size(); ++k) {
      const std::size_t j = block.members[k];
      if (block.gap == k) line.add(" " + t.dots() + " ");
      line.add(" ").add_right(t.cols[j], t.widths[j]).add(" ");
    }
    if (t.grid.shares && last) line.add("   ").add_right("sum", t.sum_width, kDim);
    put(line);
  }

  /// Row number `i` of those that are shown.
  void row(std::size_t i) {
    const std::size_t r = t.rows_shown.members[i], n = t.cols.size();
    StyledLine line(t.style.ruler);
    std::string strip;
    line.add(kGridIndent).add_left(t.rows[r], t.label_width).add(" ");
    for (std::size_t k = 0; k < block.members.size(); ++k) {
      const std::size_t j = block.members[k];
      if (block.gap == k) {
        line.add(" " + t.dots() + " ");
        strip += t.dots();
      }
      line.add(" " + t.style.ruler.pad_left(t.cell(r, j), t.widths[j]) + " ",
               paint_of(t, r * n + j));
      const bool hidden = t.grid.kinds[r * n + j] == CellKind::HiddenWeight;
      strip += t.style.ruler.pad_right(
          hidden ? hidden_sign(t.style.ascii) : shade(t.grid.numbers[r * n + j], t.style.ascii),
          t.strip_width());
    }
    if (t.grid.shares && last) line.add("   ").add_right(t.sums[i], t.sum_width);
    if (t.has_strip) line.add("   " + strip);
    put(line);
  }

  void rows() {
    for (std::size_t i = 0; i < t.rows_shown.members.size(); ++i) {
      if (t.rows_shown.gap == i) put(StyledLine(t.style.ruler).add(kGridIndent).add(t.dots()));
      if (t.style.big && i > 0) out += "\n";
      row(i);
    }
  }
};

}  // namespace

std::string GridWriter::text(const Grid& grid, const GridNumbers& numbers) {
  const GridTexts t(grid, style_, numbers, precision_);
  const std::vector<Selection> blocks = t.blocks();
  std::string out;
  if (!grid.caption.empty()) {
    const std::string caption = style_.ascii ? to_ascii(grid.caption) : grid.caption;
    out += StyledLine(t.style.ruler).add(kGridIndent).add(caption, kBold).text(style_.color);
  }
  std::size_t first = 1;
  for (const Selection& block : blocks) {
    if (blocks.size() > 1) {
      const std::size_t last = first + block.members.size() - 1;
      if (first > 1) out += "\n";
      out += kGridIndent +
             (first == last ? "column " + std::to_string(first)
                            : "columns " + std::to_string(first) + "-" + std::to_string(last)) +
             " of " + std::to_string(t.cols.size()) + "\n";
      first = last + 1;
    }
    BlockWriter writer{t, block, &block == &blocks.back(), {}};
    writer.titles();
    writer.header();
    writer.rows();
    out += writer.out;
  }
  out += grid_notes(t, blocks.front(), told_);
  return style_.ascii ? to_ascii(out) : out;
}

}  // namespace attn
