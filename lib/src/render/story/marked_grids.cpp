// Makes grids of the matrices of a step on two sides.
#include "render/story/marked_grids.hpp"

#include <algorithm>

#include "render/story/step_grids.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostPairs = 4;
constexpr std::size_t kMostLines = 12;  // rows or columns

/// Which rows and columns of a matrix are shown.
struct Part {
  std::vector<std::size_t> rows, cols;
};

/// Of a long axis, the first places that have a mark; all of a short one.
template <typename HasMark>
std::vector<std::size_t> places(std::size_t size, HasMark has_mark) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < size && (size <= kMostLines || chosen.size() < kMostLines); ++i) {
    if (size <= kMostLines || has_mark(i)) chosen.push_back(i);
  }
  return chosen;
}

Part part_of(const std::vector<bool>& marked, std::size_t cols) {
  Part part;
  part.rows = places(marked.size() / cols, [&](std::size_t row) {
    const auto from = marked.begin() + static_cast<std::ptrdiff_t>(row * cols);
    return std::find(from, from + static_cast<std::ptrdiff_t>(cols), true) !=
           from + static_cast<std::ptrdiff_t>(cols);
  });
  part.cols = places(cols, [&](std::size_t col) {
    return std::any_of(part.rows.begin(), part.rows.end(),
                       [&](std::size_t row) { return marked[row * cols + col]; });
  });
  return part;
}

/// The labels of some rows or columns. Those of tokens keep the numbers that tell repeated ones
/// apart.
void choose_labels(std::vector<std::string>& labels, bool& tokens,
                   const std::vector<std::size_t>& places) {
  if (places.size() == labels.size()) return;
  const std::vector<std::string> all = tokens ? token_labels(labels, kUncut) : labels;
  tokens = false;
  labels.clear();
  for (const std::size_t i : places) labels.push_back(all[i]);
}

/// That part of a grid, with its marks.
Grid cut(const Grid& grid, const std::vector<bool>& marked, const Part& part) {
  Grid small = grid;
  choose_labels(small.row_labels, small.row_tokens, part.rows);
  choose_labels(small.col_labels, small.col_tokens, part.cols);
  small.numbers.clear();
  small.kinds.clear();
  for (const std::size_t row : part.rows) {
    for (const std::size_t col : part.cols) {
      const std::size_t at = row * grid.col_labels.size() + col;
      small.numbers.push_back(grid.numbers[at]);
      small.kinds.push_back(grid.kinds[at]);
      small.marked.push_back(marked[at]);
    }
  }
  return small;
}

}  // namespace

MarkedGrids marked_grids(const StepDifference& step, const Trace& left, const Trace& right) {
  const Step& l = left.at(step.id);
  const auto cols = static_cast<std::size_t>(l.value.cols());
  const std::size_t size = cols * static_cast<std::size_t>(l.value.rows());
  const std::vector<GridChoice> choices = chosen_grids(l, {}, false);
  MarkedGrids made;
  std::ptrdiff_t shown = 0;
  for (std::size_t slice = 0; slice < choices.size(); ++slice) {
    const auto from = std::lower_bound(step.cells.begin(), step.cells.end(), slice * size);
    const auto to = std::lower_bound(from, step.cells.end(), (slice + 1) * size);
    if (from == to || made.grids.size() == 2 * kMostPairs) continue;
    std::vector<bool> marked(size, false);
    for (auto cell = from; cell != to; ++cell) marked[*cell - slice * size] = true;
    const Part part = part_of(marked, cols);
    for (const Trace* trace : {&left, &right}) {
      Grid grid = make_grid(*trace, trace->at(step.id), choices[slice]);
      grid.caption =
          (trace == &left ? "left" : "right") + (grid.caption.empty() ? "" : ", " + grid.caption);
      grid.shares = false;  // sums and strips would take the room of the other side
      grid.starts_row = trace == &left;
      made.grids.push_back(cut(grid, marked, part));
    }
    const std::vector<bool>& marks = made.grids.back().marked;
    shown += std::count(marks.begin(), marks.end(), true);
  }
  made.grids.back().legend = true;
  if (shown < std::ssize(step.cells)) {
    made.left_out = std::to_string(shown) + " of " + std::to_string(step.cells.size()) +
                    " cells that differ are shown.";
  }
  return made;
}

}  // namespace attn
