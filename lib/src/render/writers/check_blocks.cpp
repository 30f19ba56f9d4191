// Writes checklists and maps of cells.
#include "render/writers/check_blocks.hpp"

#include <algorithm>
#include <array>

#include "attn/check.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/column_blocks.hpp"
#include "render/terminal/notes.hpp"
#include "render/terminal/short_labels.hpp"
#include "render/terminal/side_by_side.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr std::string_view kBlockIndent = "    ";
constexpr Width kGap = 2;

/// How a verdict looks, in the order of CellVerdict.
struct Mark {
  const char* sign;
  const char* ascii;
  const char* word;     ///< in a sentence
  const char* meaning;  ///< in a legend
  Paint paint;
};
constexpr std::array kMarks{
    Mark{"✓", "ok", "right", "right", kPlain},
    Mark{"~", "~", "follows", "follows from your earlier steps", kPlain},
    Mark{"✗", "X", "wrong", "wrong", kBold},
    Mark{"_", "_", "blank", "blank", kDim},
    Mark{"!", "!", "unreadable", "not a number", kBold},
    Mark{"·", ".", "given", "given", kDim},
};

const Mark& mark_of(CellVerdict verdict) { return kMarks[static_cast<std::size_t>(verdict)]; }

std::string sign_of(CellVerdict verdict, bool ascii) {
  return ascii ? mark_of(verdict).ascii : mark_of(verdict).sign;
}

using Item = Checklist::Item;

/// The columns of a line, without its remark.
std::array<std::string, 5> columns_of(const Item& item, bool ascii) {
  const std::string number =
      item.number == 0 ? ""
                       : "[" + std::to_string(item.number) + "/" + std::to_string(item.total) + "]";
  std::array<std::string, 5> columns{number, item.symbol, item.id, item.shape, item.share};
  for (std::string& column : columns) column = ascii ? to_ascii(column) : column;
  return columns;
}

/// "follows from your earlier steps, 2 blank", and which is the first wrong step.
std::string remark_of(const Item& item, bool ascii) {
  std::string remark = item.remark;
  if (item.first_wrong) remark += (remark.empty() ? "" : "  ") + std::string("← first wrong step");
  return ascii ? to_ascii(remark) : remark;
}

std::string corner_of(const MarkGrid& grid) {
  return grid.col_title.empty() ? grid.row_title : grid.row_title + "\\" + grid.col_title;
}

/// One matrix, with the widths of its labels and columns.
class MarkPanel {
 public:
  MarkPanel(const MarkGrid& grid, const TextStyle& style, Width room) : grid_(grid), style_(style) {
    const Width most = style.splits() ? 12 : kUncut;
    rows_ = axis_labels(grid.row_labels, grid.row_tokens, most, style);
    cols_ = axis_labels(grid.col_labels, grid.col_tokens, most, style);
    label_width_ = style.ruler.width(corner_of(grid));
    for (const std::size_t row : grid.rows)
      label_width_ = std::max(label_width_, style.ruler.width(rows_[row]));
    for (const std::string& col : cols_)
      widths_.push_back(kGap + std::max<Width>(style.ruler.width(col), style.ascii ? 2 : 1));
    blocks_ = style.splits() ? column_blocks(widths_, room - label_width_, 0)
                             : std::vector{everything(cols_.size())};
  }

  Panel panel() const {
    Panel all;
    if (!grid_.caption.empty())
      all.lines.push_back(StyledLine(style_.ruler).add(shown(grid_.caption), kDim));
    for (const Excerpt& block : blocks_) {
      StyledLine header(style_.ruler);
      header.add_left(corner_of(grid_), label_width_, kDim);
      for (const std::size_t col : block.members) header.add_right(cols_[col], widths_[col], kDim);
      all.lines.push_back(header);
      for (const std::size_t row : grid_.rows) all.lines.push_back(line(row, block));
    }
    for (const StyledLine& line : all.lines) all.width = std::max(all.width, line.width());
    return all;
  }

 private:
  std::string shown(const std::string& text) const { return style_.ascii ? to_ascii(text) : text; }

  StyledLine line(std::size_t row, const Excerpt& block) const {
    StyledLine all(style_.ruler);
    all.add_left(rows_[row], label_width_);
    for (const std::size_t col : block.members) {
      const CellVerdict verdict = grid_.marks[row * cols_.size() + col];
      all.add_right(sign_of(verdict, style_.ascii), widths_[col], mark_of(verdict).paint);
    }
    return all;
  }

  const MarkGrid& grid_;
  const TextStyle& style_;
  std::vector<std::string> rows_, cols_;
  std::vector<Width> widths_;
  Width label_width_ = 0;
  std::vector<Excerpt> blocks_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> mark_legend(const MarkMap& map, bool ascii) {
  std::vector<std::pair<std::string, std::string>> legend;
  for (std::size_t i = 0; i < kMarks.size(); ++i) {
    const auto verdict = static_cast<CellVerdict>(i);
    const auto shows = [&](const MarkGrid& grid) {
      const std::size_t cols = grid.col_labels.size();
      return std::any_of(grid.rows.begin(), grid.rows.end(), [&](std::size_t row) {
        const auto* first = grid.marks.data() + row * cols;
        return std::find(first, first + cols, verdict) != first + cols;
      });
    };
    if (std::any_of(map.matrices.begin(), map.matrices.end(), shows))
      legend.emplace_back(sign_of(verdict, ascii), kMarks[i].meaning);
  }
  return legend;
}

MarkTexts mark_texts(const MarkGrid& grid, const TextStyle& style) {
  const auto rows = axis_labels(grid.row_labels, grid.row_tokens, kUncut, style);
  MarkTexts texts{
      corner_of(grid), {}, axis_labels(grid.col_labels, grid.col_tokens, kUncut, style), {}};
  for (const std::size_t row : grid.rows) {
    texts.rows.push_back(rows[row]);
    texts.signs.emplace_back();
    for (std::size_t col = 0; col < texts.cols.size(); ++col)
      texts.signs.back().push_back(sign_of(grid.marks[row * texts.cols.size() + col], style.ascii));
  }
  return texts;
}

std::vector<std::vector<std::string>> checklist_table(const Checklist& list, bool ascii) {
  std::vector<std::vector<std::string>> rows{{"", "step", "", "", "shape", "right", ""}};
  for (const Item& item : list.items) {
    const auto columns = columns_of(item, ascii);
    rows.push_back({sign_of(item.verdict, ascii)});
    rows.back().insert(rows.back().end(), columns.begin(), columns.end());
    rows.back().push_back(remark_of(item, ascii));
  }
  return rows;
}

std::string checklist_text(const Checklist& list, const TextStyle& style) {
  std::array<Width, 5> widths{};
  for (const Item& item : list.items) {
    const auto columns = columns_of(item, style.ascii);
    for (std::size_t c = 0; c < widths.size(); ++c)
      widths[c] = std::max(widths[c], style.ruler.width(columns[c]));
  }
  std::string text;
  for (const Item& item : list.items) {
    const Mark& mark = mark_of(item.verdict);
    const auto columns = columns_of(item, style.ascii);
    StyledLine line(style.ruler);
    line.add_left(sign_of(item.verdict, style.ascii), style.ascii ? 2 : 1, mark.paint);
    for (std::size_t c = 0; c < widths.size(); ++c) {
      line.add(spaces(kGap));
      const bool is_name = c == 1 || c == 2;  // symbol and id
      if (is_name) line.add_left(columns[c], widths[c], mark.paint);
      if (!is_name) line.add_right(columns[c], widths[c]);
    }
    const std::string remark = remark_of(item, style.ascii);
    const bool fits =
        style.fit == Fit::Whole || line.width() + kGap + style.ruler.width(remark) < style.width;
    if (fits) line.add(spaces(kGap)).add(remark);
    text += line.text(style.color);
    if (!fits) text += prose(remark, style, kBlockIndent, kBlockIndent);
  }
  return text;
}

std::string mark_map_text(const MarkMap& map, const TextStyle& style) {
  const Width room = style.width - 1 - style.ruler.width(kBlockIndent);
  std::vector<Panel> panels;
  std::vector<Slot> slots;
  for (const MarkGrid& grid : map.matrices) {
    panels.push_back(MarkPanel(grid, style, room).panel());
    slots.push_back({panels.back().width, false});
  }
  std::string text;
  for (const auto& row : rows_of(slots, room)) {
    std::vector<Panel> together;
    for (const std::size_t i : row) together.push_back(panels[i]);
    for (const StyledLine& line : side_by_side(together, kBlockIndent, style.ruler))
      text += line.text(style.color);
  }
  Legend legend(style.ruler, room);
  for (const auto& [sign, meaning] : mark_legend(map, style.ascii)) legend.add(sign, meaning);
  return text + legend.text(kBlockIndent, style.color);
}

std::vector<std::string> checklist_lines(const Checklist& list) {
  std::vector<std::string> lines;
  for (const Item& item : list.items) {
    std::string line = std::string(mark_of(item.verdict).word) + ": ";
    if (item.number != 0)
      line += "step " + std::to_string(item.number) + " of " + std::to_string(item.total) + ", ";
    line += item.symbol + ", " + item.id;
    for (const std::string& part : {item.shape, item.share, item.remark,
                                    std::string(item.first_wrong ? "first wrong step" : "")})
      line += (part.empty() ? "" : ", ") + part;
    lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> mark_map_lines(const MarkMap& map, bool ascii) {
  std::vector<std::string> lines;
  for (const MarkGrid& grid : map.matrices) {
    if (!grid.caption.empty()) lines.push_back(grid.caption + ":");
    const auto labels = [&](const std::vector<std::string>& names, bool tokens) {
      return tokens ? token_labels(names, kUncut, ascii) : names;
    };
    const auto rows = labels(grid.row_labels, grid.row_tokens);
    const auto cols = labels(grid.col_labels, grid.col_tokens);
    for (const std::size_t row : grid.rows) {
      std::string line = (grid.row_title.empty() ? "" : grid.row_title + " ") + rows[row] + ":";
      for (std::size_t col = 0; col < cols.size(); ++col) {
        line += (col == 0 ? " " : ", ") + cols[col] + " " +
                mark_of(grid.marks[row * cols.size() + col]).word;
      }
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace attn
