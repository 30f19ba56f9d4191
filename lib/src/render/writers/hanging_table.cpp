// Chooses where the prose of a table begins, and wraps it there.
#include "render/writers/hanging_table.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/text.hpp"
#include "render/terminal/notes.hpp"
#include "render/terminal/styled_line.hpp"
#include "render/writers/lines_writer.hpp"

namespace attn {
namespace {

constexpr std::ptrdiff_t kLeastProse = 30, kNarrowest = 12;

/// Spaces between columns: more after a command, which has spaces in it.
std::ptrdiff_t gap_of(const Table& table) { return table.commands ? 3 : 2; }

/// A row: what is left of the prose, in columns, and the prose.
struct HangingRow {
  std::string left, text;
  Paint paint;
};

std::vector<HangingRow> hanging_rows(const Table& table, const TextStyle& style) {
  const auto shown = [&](const std::string& text) { return shown_text(text, style.ascii); };
  std::vector<std::vector<std::string>> cells;
  if (has_header(table)) cells.push_back(table.header);
  cells.insert(cells.end(), table.rows.begin(), table.rows.end());
  std::vector<HangingRow> rows(cells.size());
  for (std::size_t j = 0; j + 1 < table.header.size(); ++j) {
    std::ptrdiff_t width = 0;
    for (const auto& row : cells) width = std::max(width, style.ruler.width(shown(row[j])));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].left += style.ruler.pad_right(shown(cells[i][j]), width + gap_of(table));
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

/// The lines of a row whose prose begins `column` cells after the indent, below what is longer.
std::string row_lines(const HangingRow& row, std::ptrdiff_t column, const Table& table,
                      const TextStyle& style, std::string_view indent) {
  const std::string margin(indent), hang = margin + spaces(column);
  const std::ptrdiff_t left = style.ruler.width(row.left) + gap_of(table);
  if (left <= column)
    return prose(row.text, style, margin + style.ruler.pad_right(row.left, column), hang,
                 row.paint);
  if (row.text.empty() && table.commands)
    return StyledLine(style.ruler).add(margin + row.left).text(style.color);
  const std::string line = table.commands
                               ? StyledLine(style.ruler).add(margin + row.left).text(style.color)
                               : prose(row.left, style, margin, margin + spaces(2), row.paint);
  return line + (row.text.empty() ? "" : prose(row.text, style, hang, hang, row.paint));
}

std::string all_lines(const std::vector<HangingRow>& rows, std::ptrdiff_t column,
                      const Table& table, const TextStyle& style, std::string_view indent) {
  std::string text;
  for (const HangingRow& row : rows) text += row_lines(row, column, table, style, indent);
  return text;
}

/// How many lines there are; 0 if one of them is too long.
std::ptrdiff_t lines_that_fit(const std::string& text, const TextStyle& style) {
  std::ptrdiff_t count = 0;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1, ++count) {
    end = text.find('\n', at);
    if (style.ruler.width(std::string_view(text).substr(at, end - at)) >= style.width) return 0;
  }
  return count;
}

}  // namespace

std::string hanging_table(const Table& table, const TextStyle& style, std::string_view indent) {
  const std::vector<HangingRow> rows = hanging_rows(table, style);
  const std::ptrdiff_t room = style.width - 1 - style.ruler.width(indent);
  std::ptrdiff_t below = 4, widest = 0;  // below what is left of it, the prose is indented by more
  for (const HangingRow& row : rows) {
    below = std::max(below, 4 + std::ssize(row.left) - std::ssize(trimmed(row.left)));
    widest = std::max(widest, style.ruler.width(row.left) + gap_of(table));
  }
  below = std::min(below, widest);
  const std::ptrdiff_t least = room - table.left < kLeastProse ? 0 : table.left + gap_of(table);
  std::set<std::ptrdiff_t> columns{std::max(least, below)};
  for (const HangingRow& row : rows) {
    const std::ptrdiff_t column = style.ruler.width(row.left) + gap_of(table);
    if (column >= std::max(below, least)) columns.insert(column);
  }
  if (has_header(table)) columns = {widest};
  TextStyle plain = style;
  plain.color = ColorDepth::None;
  std::ptrdiff_t best = 0, fewest = 0;
  for (const std::ptrdiff_t column : columns) {
    const std::ptrdiff_t lines =
        lines_that_fit(all_lines(rows, column, table, plain, indent), style);
    const bool readable = room - column >= kNarrowest || lines == std::ssize(rows);
    if (lines == 0 || !readable || (best > 0 && lines > fewest)) continue;
    best = column;
    fewest = lines;
  }
  if (best == 0 && style.fit == Fit::Whole && has_header(table)) best = widest;
  if (best > 0 || style.fit == Fit::Whole || !has_header(table))
    return all_lines(rows, best > 0 ? best : below, table, style, indent);
  const std::string& first = table.header.front();  // a sentence says which column is which
  std::string text;
  for (const std::string& each : rows_in_words(table))
    text += prose(labelled(first, each), style, indent, std::string(indent) + "    ");
  return text;
}

}  // namespace attn
