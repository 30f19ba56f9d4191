// How a matrix becomes lines, whatever its cells look like.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "render/terminal/column_blocks.hpp"
#include "render/terminal/side_by_side.hpp"
#include "render/terminal/styled_line.hpp"

namespace attn {

/// Adds the columns that are shown: `add(line, j)` adds column j; `dots` where some are left out.
template <typename Add>
void across(StyledLine& line, const Excerpt& columns, const std::string& dots, const Paint& paint,
            const Add& add) {
  for (std::size_t k = 0; k < columns.members.size(); ++k) {
    if (columns.gap == k) line.add(dots, paint);
    add(line, columns.members[k]);
  }
}

/// How rows follow each other.
struct RowPlan {
  const Excerpt& rows;
  StyledLine header, dots;  ///< dots: where rows are left out
  bool spaced = false;      ///< an empty line between rows
  std::size_t repeat = 0;   ///< rows until the header is repeated; 0: never
  std::size_t step = 1;     ///< rows in a line
};

/// Adds the header and all rows: `row(i)` adds number i of the rows that are shown.
template <typename Row>
void add_rows(std::vector<StyledLine>& lines, const RowPlan& plan, const Row& row) {
  const auto add = [&](const StyledLine& line) { lines.push_back(line); };
  add(plan.header);
  for (std::size_t i = 0; i < plan.rows.members.size(); i += plan.step) {
    const bool again = plan.repeat > 0 && i > 0 && i / plan.repeat != (i - plan.step) / plan.repeat;
    if (again) add(plan.header);
    if (plan.rows.gap == i) add(plan.dots);
    if (plan.spaced && i > 0) add(StyledLine({}));
    row(i);
  }
}

}  // namespace attn
