// Makes grids of the matrices of a step on two sides.
#include "render/story/marked_grids.hpp"

#include <algorithm>

#include "attn/tool/phrases.hpp"
#include "render/story/step_grids.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostPairs = 4;
constexpr std::size_t kMostRows = 12;

/// Only some rows of a grid. Labels of tokens keep the numbers that tell repeated ones apart.
Grid only_rows(const Grid& grid, const std::vector<std::size_t>& rows) {
  Grid part = grid;
  part.row_labels.clear();
  part.numbers.clear();
  part.kinds.clear();
  part.marked.clear();
  const std::vector<std::string> labels =
      grid.row_tokens ? token_labels(grid.row_labels, kUncut) : grid.row_labels;
  part.row_tokens = false;
  const std::size_t cols = grid.col_labels.size();
  for (const std::size_t row : rows) {
    part.row_labels.push_back(labels[row]);
    for (std::size_t i = row * cols; i < (row + 1) * cols; ++i) {
      part.numbers.push_back(grid.numbers[i]);
      part.kinds.push_back(grid.kinds[i]);
      part.marked.push_back(grid.marked[i]);
    }
  }
  return part;
}

/// The rows with a mark.
std::vector<std::size_t> marked_rows(const std::vector<bool>& marked, std::size_t cols) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    if (marked[i] && (rows.empty() || rows.back() != i / cols)) rows.push_back(i / cols);
  }
  return rows;
}

}  // namespace

MarkedGrids marked_grids(const StepDifference& step, const Trace& left, const Trace& right) {
  const Step& l = left.at(step.id);
  const auto cols = static_cast<std::size_t>(l.value.cols());
  const std::size_t size = cols * static_cast<std::size_t>(l.value.rows());
  const std::vector<GridChoice> choices = chosen_grids(l, {}, false);
  MarkedGrids made;
  std::size_t pairs = 0, rows_left_out = 0;
  for (std::size_t slice = 0; slice < choices.size(); ++slice) {
    const auto from = std::lower_bound(step.cells.begin(), step.cells.end(), slice * size);
    const auto to = std::lower_bound(from, step.cells.end(), (slice + 1) * size);
    if (from == to || ++pairs > kMostPairs) continue;
    std::vector<bool> marked(size, false);
    for (auto cell = from; cell != to; ++cell) marked[*cell - slice * size] = true;
    std::vector<std::size_t> rows = marked_rows(marked, cols);
    if (rows.size() > kMostRows) {
      rows_left_out += rows.size() - kMostRows;
      rows.resize(kMostRows);
    }
    for (const Trace* trace : {&left, &right}) {
      Grid grid = make_grid(*trace, trace->at(step.id), choices[slice]);
      grid.caption =
          (trace == &left ? "left" : "right") + (grid.caption.empty() ? "" : ", " + grid.caption);
      grid.shares = false;  // sums and strips would take the room of the other side
      grid.marked = marked;
      grid.starts_row = trace == &left;
      made.grids.push_back(grid.row_labels.size() > kMostRows ? only_rows(grid, rows) : grid);
    }
  }
  made.grids.back().legend = true;
  std::vector<std::string> left_out;
  const auto more = [](std::size_t n, const char* noun) {
    const auto count = static_cast<std::ptrdiff_t>(n);
    return std::to_string(n) + " more " + (n == 1 ? noun : plural(noun)) +
           (count == 1 ? " differs" : " differ");
  };
  if (rows_left_out > 0) left_out.push_back(more(rows_left_out, "row"));
  if (pairs > kMostPairs) left_out.push_back(more(pairs - kMostPairs, "head"));
  made.left_out = separated(left_out, ", ");
  return made;
}

}  // namespace attn
