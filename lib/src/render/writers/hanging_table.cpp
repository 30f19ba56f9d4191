// Chooses where the prose of a table begins, and wraps it there.
#include "render/writers/hanging_table.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "attn/tool/text.hpp"
#include "render/terminal/notes.hpp"
#include "render/terminal/styled_line.hpp"
#include "render/writers/lines_writer.hpp"

namespace attn {
namespace {

constexpr std::ptrdiff_t kColumnGap = 3, kLeastProse = 30;

/// A row: what is left of the prose, in columns, and the prose.
struct HangingRow {
  std::string left, text;
  Paint paint;
};

std::vector<HangingRow> hanging_rows(const Table& table, const TextStyle& style) {
  const auto shown = [&](const std::string& text) {
    return style.ascii ? to_ascii(visible(text)) : visible(text);
  };
  std::vector<std::vector<std::string>> cells;
  if (has_header(table)) cells.push_back(table.header);
  cells.insert(cells.end(), table.rows.begin(), table.rows.end());
  std::vector<HangingRow> rows(cells.size());
  for (std::size_t j = 0; j + 1 < table.header.size(); ++j) {
    std::ptrdiff_t width = 0;
    for (const auto& row : cells) width = std::max(width, style.ruler.width(shown(row[j])));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].left += style.ruler.pad_right(shown(cells[i][j]), width + kColumnGap);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    HangingRow& row = rows[i];
    row.left.erase(row.left.find_last_not_of(' ') + 1);
    row.text = cells[i].back();
    row.paint = i == 0 && has_header(table) ? kDim : kPlain;
  }
  return rows;
}

/// The lines of a row whose prose begins `column` cells after the indent.
std::string row_lines(const HangingRow& row, std::ptrdiff_t column, bool whole,
                      const TextStyle& style, std::string_view indent) {
  const std::string margin(indent), hang = margin + spaces(column);
  const bool beside = style.ruler.width(row.left) + kColumnGap <= column;
  if (beside || row.text.empty()) {
    const std::string left = beside ? style.ruler.pad_right(row.left, column) : row.left;
    return prose(row.text, style, margin + left, hang, row.paint);
  }
  const std::string line = whole ? StyledLine(style.ruler).add(margin + row.left).text(style.color)
                                 : prose(row.left, style, margin, margin + spaces(2), row.paint);
  return line + prose(row.text, style, hang, hang, row.paint);
}

}  // namespace

std::string hanging_table(const Table& table, const TextStyle& style, std::string_view indent) {
  const std::vector<HangingRow> rows = hanging_rows(table, style);
  const std::ptrdiff_t room = style.width - 1 - style.ruler.width(indent);
  std::set<std::ptrdiff_t> columns{4};  // all prose below what is left of it
  for (const HangingRow& row : rows) columns.insert(style.ruler.width(row.left) + kColumnGap);
  if (table.left > 0) columns.insert(table.left + kColumnGap);
  if (has_header(table) && *columns.rbegin() > room) {  // a sentence says which column is which
    std::string text;
    for (const std::string& each : sentences(table)) {
      const std::string& first = table.header.front();
      text += prose((first.empty() ? "" : first + ": ") + each, style, indent,
                    std::string(indent) + "    ");
    }
    return text;
  }
  std::string best;
  std::ptrdiff_t fewest = 0;
  for (const std::ptrdiff_t column : columns) {
    const bool aligned = column >= table.left + kColumnGap || room - table.left < kLeastProse;
    if (!aligned && column != 4) continue;
    std::string text;
    for (const HangingRow& row : rows)
      text += row_lines(row, column, table.commands, style, indent);
    const std::ptrdiff_t lines = std::count(text.begin(), text.end(), '\n');
    if (best.empty() || lines <= fewest) {
      best = std::move(text);
      fewest = lines;
    }
  }
  return best;
}

}  // namespace attn
