// Puts a word and its number into each cell, with the labels of the picture around them.
#include "render/terminal/word_table.hpp"

#include <string>
#include <vector>

#include "render/terminal/short_labels.hpp"

namespace attn {

Table word_table(const HeatPanel& panel, const NumberFormat& format) {
  const Grid& grid = panel.grid;
  Table table{.header = {grid.caption}, .rows = {}, .texts = grid.col_labels.size() + 1};
  table.alike = grid.col_title.empty();
  std::vector<std::string> columns = axis_labels(grid.col_labels, grid.col_tokens, kUncut, {});
  if (!table.alike) {  // ranks
    columns.assign(columns.size(), "");
    columns.front() = grid.col_title;
  }
  table.header.insert(table.header.end(), columns.begin(), columns.end());
  for (std::size_t at = 0; at < panel.words.size(); ++at) {
    const std::size_t row = at / columns.size();
    if (at % columns.size() == 0) table.rows.push_back({grid.row_labels[row]});
    table.rows[row].push_back(panel.words[at] + " " + format_number(grid.numbers[at], format));
  }
  return table;
}

}  // namespace attn
