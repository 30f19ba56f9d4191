// Writes a matrix as aligned columns with labels, strip and sums.
#include "render/terminal/grid_writer.hpp"

#include <cmath>

#include "attn/tool/text.hpp"
#include "render/terminal/grid_footnotes.hpp"
#include "render/terminal/grid_lines.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {
namespace {

Paint paint_of(const GridTexts& t, std::size_t at) {
  if (t.grid.kinds[at] != CellKind::Number) return kDim;
  if (!t.grid.shares || !std::isfinite(t.grid.numbers[at])) return kPlain;
  return {.kind = Paint::Kind::Heat, .at = t.grid.numbers[at], .palette = t.style.palette};
}

/// Some columns of a matrix; the sums are beside the last ones.
struct BlockWriter {
  const GridTexts& t;
  const Excerpt& block;
  bool last;

  StyledLine blank() const { return StyledLine(t.style.ruler); }
  StyledLine start(const std::string& label, const Paint& paint) const {
    return blank().add(kGridIndent).add_left(label, t.label_width, paint).add(" ");
  }

  StyledLine titles() const {
    return start("", kPlain)
        .add(" ")
        .add_right(t.grid.col_title, t.widths[block.members.front()], kDim);
  }

  StyledLine header() const {
    const auto add = [&](StyledLine& line, std::size_t j) {
      line.add(" ").add_right(t.cols[j], t.widths[j]).add(" ");
    };
    StyledLine line = across(start(t.grid.row_title, kDim), block, gap(), kPlain, add);
    if (t.grid.shares && last) line.add("   ").add_right("sum", t.sum_width, kDim);
    return line;
  }

  /// Row number `i` of those that are shown.
  StyledLine row(std::size_t i) const {
    const std::size_t r = t.rows_shown.members[i], n = t.cols.size();
    const auto add = [&](StyledLine& line, std::size_t j) {
      line.add(" " + t.style.ruler.pad_left(t.cell(r, j), t.widths[j]) + " ",
               paint_of(t, r * n + j));
    };
    const auto add_shade = [&](StyledLine& line, std::size_t j) {
      const bool hidden = t.grid.kinds[r * n + j] == CellKind::HiddenWeight;
      line.add_left(
          hidden ? hidden_sign(t.style.ascii) : shade(t.grid.numbers[r * n + j], t.style.ascii),
          t.strip_width());
    };
    StyledLine line = across(start(t.rows[r], kPlain), block, gap(), kPlain, add);
    if (t.grid.shares && last) line.add("   ").add_right(t.sums[i], t.sum_width);
    if (t.has_strip) line = across(line.add("   "), block, t.dots(), kPlain, add_shade);
    return line;
  }

  std::string text() const {
    std::vector<StyledLine> lines;
    if (!t.grid.col_title.empty()) lines.push_back(titles());
    add_rows(lines, {t.rows_shown, header(), blank().add(kGridIndent).add(t.dots()), t.style.big},
             [&](std::vector<StyledLine>& all, std::size_t i) { all.push_back(row(i)); });
    std::string all;
    for (const StyledLine& line : lines) all += line.text(t.style.color);
    return all;
  }

  std::string gap() const { return " " + t.dots() + " "; }
};

}  // namespace

std::string GridWriter::text(const Grid& grid, const GridNumbers& numbers) {
  const GridTexts t(grid, style_, numbers, precision_);
  const std::vector<Excerpt> blocks = t.blocks();
  std::string out;
  if (!grid.caption.empty()) {
    const std::string caption = style_.ascii ? to_ascii(grid.caption) : grid.caption;
    out += StyledLine(t.style.ruler).add(kGridIndent).add(caption, kBold).text(style_.color);
  }
  std::size_t first = 1;
  for (const Excerpt& block : blocks) {
    if (blocks.size() > 1) {
      const std::size_t last = first + block.members.size() - 1;
      if (first > 1) out += "\n";
      out += kGridIndent +
             (first == last ? "column " + std::to_string(first)
                            : "columns " + std::to_string(first) + "-" + std::to_string(last)) +
             " of " + std::to_string(t.cols.size()) + "\n";
      first = last + 1;
    }
    out += BlockWriter{t, block, &block == &blocks.back()}.text();
  }
  out += grid_notes(t, blocks.front(), told_);
  return style_.ascii ? to_ascii(out) : out;
}

}  // namespace attn
