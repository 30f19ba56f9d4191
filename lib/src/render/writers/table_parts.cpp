// Takes tables apart that have no room: some columns below the others, or without bars.
#include "render/writers/table_parts.hpp"

#include <algorithm>
#include <string>

#include "attn/render/text.hpp"
#include "render/terminal/column_blocks.hpp"

namespace attn {
namespace {

using Width = std::ptrdiff_t;
constexpr Width kApart = 2;  // spaces between columns

/// The same table with some of its columns.
Table with_columns(const Table& table, const std::vector<std::size_t>& columns) {
  Table part = table;
  const auto keep = [&](std::vector<std::string>& cells, const std::vector<std::string>& all) {
    cells.clear();
    for (const std::size_t j : columns) {
      if (j < all.size()) cells.push_back(all[j]);
    }
  };
  keep(part.header, table.header);
  for (std::size_t i = 0; i < table.rows.size(); ++i) keep(part.rows[i], table.rows[i]);
  part.bars.clear();
  for (const std::size_t bar : table.bars) {
    const auto at = std::find(columns.begin(), columns.end(), bar);
    if (at != columns.end()) part.bars.push_back(static_cast<std::size_t>(at - columns.begin()));
  }
  part.texts = static_cast<std::size_t>(std::count_if(
      columns.begin(), columns.end(), [&](std::size_t j) { return j < table.texts; }));
  return part;
}

}  // namespace

std::vector<Table> table_blocks(const Table& table, const TextStyle& style, Width room) {
  if (!table.alike) return {table};
  std::vector<Width> widths(table.header.size(), 0);
  const auto measure = [&](const std::vector<std::string>& cells) {
    for (std::size_t j = 0; j < cells.size(); ++j)
      widths[j] =
          std::max(widths[j], style.ruler.width(shown_text(cells[j], style.ascii)) + kApart);
  };
  measure(table.header);
  for (const auto& row : table.rows) measure(row);
  const Width left = widths.front() - kApart;
  widths.erase(widths.begin());
  std::vector<Table> parts;
  for (const Excerpt& block : column_blocks(widths, room - left, 0)) {
    std::vector<std::size_t> columns{0};
    for (const std::size_t j : block.members) columns.push_back(j + 1);
    parts.push_back(with_columns(table, columns));
    parts.back().alike = false;
  }
  return parts;
}

Table without_bars(const Table& table) {
  std::vector<std::size_t> columns;
  for (std::size_t j = 0; j < table.header.size(); ++j) {
    if (std::find(table.bars.begin(), table.bars.end(), j) == table.bars.end())
      columns.push_back(j);
  }
  return with_columns(table, columns);
}

}  // namespace attn
