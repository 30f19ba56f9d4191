// Writes a matrix as aligned columns with labels, strip and sums.
#include "render/terminal/grid_writer.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "attn/language.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/grid_footnotes.hpp"
#include "render/terminal/grid_lines.hpp"
#include "render/terminal/side_by_side.hpp"
#include "render/terminal/styled_line.hpp"
#include "render/terminal/verdict_marks.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;

Paint paint_of(const GridTexts& t, std::size_t at) {
  if (t.style.color == ColorDepth::None) return kPlain;
  if (!t.grid.marks.empty()) return mark_of(t.grid.marks[at]).paint;
  if (!t.grid.gaps.empty()) {
    const double gap = t.grid.gaps[at];
    return gap > 0.0 ? Paint{.kind = Paint::Kind::Heat, .at = gap, .palette = t.style.palette}
                     : kDim;
  }
  if (t.grid.kinds[at] != CellKind::Number) return kDim;
  if (!t.grid.shares || !std::isfinite(t.grid.numbers[at])) return kPlain;
  return {.kind = Paint::Kind::Heat, .at = t.grid.numbers[at], .palette = t.style.palette};
}

/// Some columns of a matrix; the sums are beside the last ones.
struct BlockWriter {
  const GridTexts& t;
  Excerpt block;
  bool last;

  StyledLine blank() const { return StyledLine(t.style.ruler); }

  StyledLine header() const {
    const auto add = [&](StyledLine& line, std::size_t j) {
      line.add(" ").add_right(t.cols[j], t.widths[j]).add(spaces(t.spacing - 1));
    };
    StyledLine line = blank().add_left(corner_text(t.grid), t.label_width, kDim).add(" ");
    across(line, block, gap(), kPlain, add);
    if (t.grid.shares && last)
      line.add(spaces(t.tail_gap)).add_right(translated("sum"), t.sum_width, kDim);
    return line;
  }

  /// Row number `i` of those that are shown.
  StyledLine row(std::size_t i) const {
    const std::size_t r = t.rows_shown.members[i], n = t.cols.size();
    const auto add = [&](StyledLine& to, std::size_t j) {
      std::string& text = to.next(paint_of(t, r * n + j)) += ' ';
      t.append_cell(text, r, j);
      text.append(static_cast<std::size_t>(t.spacing - 1), ' ');
    };
    const Width room = t.strip_width();
    const auto add_shade = [&](StyledLine& to, std::size_t j) {
      const std::size_t at = r * n + j;
      const bool hidden = t.grid.kinds[at] == CellKind::HiddenWeight, ascii = t.style.ascii;
      const char* const sign = hidden ? hidden_sign(ascii) : shade(t.grid.numbers[at], ascii);
      room == 1 ? to.add(sign) : to.add_left(sign, room);  // measuring each is slow
    };
    StyledLine line = blank().add_left(t.rows[r], t.label_width).add(" ");
    across(line, block, gap(), kPlain, add);
    if (t.grid.shares && last) line.add(spaces(t.tail_gap)).add_right(t.sums[i], t.sum_width);
    if (t.has_strip) across(line.add(spaces(t.tail_gap)), block, t.dots(), kPlain, add_shade);
    return line;
  }

  std::string gap() const { return " " + t.dots() + " "; }
};

void add_block(std::vector<StyledLine>& lines, const BlockWriter& block) {
  const GridTexts& t = block.t;
  add_rows(lines, {t.rows_shown, block.header(), block.blank().add(t.dots()), t.style.big},
           [&](std::size_t i) { lines.push_back(block.row(i)); });
}

std::string caption_of(const GridTexts& t) { return shown_text(t.grid.caption, t.style.ascii); }

Width width_of(const GridTexts& t) {
  return std::max(t.width(), t.style.ruler.width(caption_of(t)));
}

/// The lines of one matrix: its caption and all of its blocks.
Panel panel_of(const GridTexts& t) {
  Panel panel{{}, width_of(t)};
  const auto add = [&](const std::string& text, const Paint& paint) {
    panel.lines.push_back(StyledLine(t.style.ruler).add(text, paint));
  };
  if (!t.grid.caption.empty()) add(caption_of(t), kBold);
  std::size_t first = 1;
  for (const Excerpt& block : t.blocks) {
    if (t.blocks.size() > 1) {
      const std::size_t last = first + block.members.size() - 1;
      if (first > 1) add("", kPlain);
      add(first == last ? translated("column {n} of {all}", first, t.cols.size())
                        : translated("columns {first}-{last} of {all}", first, last, t.cols.size()),
          kPlain);
      first = last + 1;
    }
    add_block(panel.lines, {t, block, &block == &t.blocks.back()});
  }
  return panel;
}

/// Whether a matrix comes in blocks of columns, or some of its columns are left out.
bool is_split(const std::vector<GridTexts>& texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [](const GridTexts& t) { return t.width() == kEndless; });
}

Width caption_width(std::span<const GridTexts> texts) {
  Width most = 0;
  for (const GridTexts& t : texts) most = std::max(most, t.style.ruler.width(caption_of(t)));
  return most + 2;
}

/// How many of the first matrices need only one line of column labels, with their captions in front
/// of the rows.
std::size_t under_one_header(std::span<const GridTexts> texts, Width room) {
  const Width margin = caption_width(texts);
  const auto end = std::find_if_not(texts.begin(), texts.end(), [&](const GridTexts& t) {
    return !t.style.big && t.cols == texts[0].cols && t.widths == texts[0].widths &&
           margin + t.width() <= room;
  });
  return std::max<std::size_t>(1, static_cast<std::size_t>(end - texts.begin()));
}

Panel joined(std::span<GridTexts> texts) {
  const Width margin = caption_width(texts);
  Width label_width = 0;
  for (const GridTexts& t : texts) label_width = std::max(label_width, t.label_width);
  Panel panel;
  for (GridTexts& t : texts) {
    t.label_width = label_width;
    std::vector<StyledLine> lines;
    add_block(lines, {t, t.blocks.front(), true});
    for (std::size_t i = panel.lines.empty() ? 0 : 1; i < lines.size(); ++i) {
      StyledLine start(t.style.ruler);
      start.add_left(i == 1 ? caption_of(t) : "", margin, kBold);
      panel.lines.push_back(start.add(lines[i]));
    }
  }
  return panel;
}

}  // namespace

/// Matrices of one step are written alike.
std::vector<GridTexts> GridWriter::texts_of(const std::vector<const Grid*>& grids) const {
  std::vector<GridTexts> texts;
  texts.reserve(grids.size());
  for (auto first = grids.begin(); first != grids.end();) {
    const auto last = std::find_if(first, grids.end(),
                                   [&](const Grid* grid) { return grid->step != (*first)->step; });
    const GridNumbers numbers = numbers_of({first, last}, style_, precision_);
    for (; first != last; ++first) texts.emplace_back(**first, style_, numbers, 2);
  }
  return texts;
}

std::vector<std::vector<std::size_t>> GridWriter::rows_in(
    const std::vector<GridTexts>& texts) const {
  std::vector<Slot> slots;
  for (const GridTexts& t : texts) {
    slots.push_back({width_of(t), !slots.empty() && begins_entry((&t - 1)->grid, t.grid)});
  }
  return rows_of(slots, room());
}

void GridWriter::write(const std::vector<const Grid*>& grids, TextPieces& out) {
  std::vector<GridTexts> texts = texts_of(grids);
  auto rows = rows_in(texts);
  // Words in a row need two spaces to be distinct, where there is room for them.
  const bool words = std::any_of(grids.begin(), grids.end(), [](auto* g) { return g->col_tokens; });
  const bool split = is_split(texts);
  if (split || (rows.size() > 1 && !words)) {
    std::vector<GridTexts> tight;
    for (const GridTexts& t : texts) tight.emplace_back(t.grid, t.style, t.numbers, 1);
    auto fewer = rows_in(tight);
    if ((split && !is_split(tight)) || (!words && fewer.size() < rows.size())) {
      texts = std::move(tight);
      rows = std::move(fewer);
    }
  }
  bool some = false;
  const auto add = [&](const std::vector<Panel>& panels) {
    if (std::exchange(some, true)) out += "\n";
    write_panels(panels, kGridIndent, style_, out);
  };
  if (rows.size() == texts.size()) {
    for (std::span<GridTexts> rest = texts; !rest.empty();) {
      const std::size_t count = under_one_header(rest, room());
      add({count == 1 ? panel_of(rest[0]) : joined(rest.first(count))});
      rest = rest.subspan(count);
    }
  } else {
    for (const std::vector<std::size_t>& row : rows) {
      std::vector<Panel> panels;
      for (const std::size_t i : row) panels.push_back(panel_of(texts[i]));
      add(panels);
    }
  }
  const std::string notes = grid_notes(texts, noted_);
  if (style_.big && !notes.empty()) out += "\n";
  out += style_.ascii ? to_ascii(notes) : notes;
}

}  // namespace attn
