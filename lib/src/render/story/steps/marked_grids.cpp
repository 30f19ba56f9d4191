// Makes grids of the matrices of a step on two sides.
#include "render/story/steps/marked_grids.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "attn/language.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostPairs = 4;
constexpr std::size_t kMostLines = 12;  // rows or columns

/// Which rows and columns of a matrix are shown.
struct ShownPart {
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

/// How far apart the two sides of a slice are where the step differs: 1 is the largest gap.
std::vector<double> gaps_of(std::span<const std::size_t> cells, std::size_t begin, std::size_t size,
                            const Tensor& left, const Tensor& right, double largest) {
  constexpr double kAlwaysMarked = 1e-3;  // marked in any case
  std::vector<double> gaps(size, 0.0);
  for (const std::size_t cell : cells) {
    const double gap = std::abs(left.data()[cell] - right.data()[cell]);
    gaps[cell - begin] = std::isfinite(gap) ? std::max(kAlwaysMarked, gap / largest) : 1.0;
  }
  for (double& gap : gaps)
    gap = std::isfinite(gap) ? gap : kAlwaysMarked;  // the largest is not a number
  return gaps;
}

ShownPart part_of(const std::vector<double>& gaps, std::size_t cols) {
  const auto marked = [&](std::size_t row, std::size_t col) {
    return gaps[row * cols + col] > 0.0;
  };
  ShownPart part;
  part.rows = places(gaps.size() / cols, [&](std::size_t row) {
    const auto from = gaps.begin() + static_cast<std::ptrdiff_t>(row * cols);
    return std::any_of(from, from + static_cast<std::ptrdiff_t>(cols),
                       [](double gap) { return gap > 0.0; });
  });
  part.cols = places(cols, [&](std::size_t col) {
    return std::any_of(part.rows.begin(), part.rows.end(),
                       [&](std::size_t row) { return marked(row, col); });
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

/// That part of a grid, marked if there are gaps.
Grid cut(const Grid& grid, const std::vector<double>& gaps, const ShownPart& part) {
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
      if (!gaps.empty()) small.gaps.push_back(gaps[at]);
    }
  }
  return small;
}

std::vector<std::size_t> first_places(std::size_t size) {
  std::vector<std::size_t> first(std::min(size, kMostLines));
  std::iota(first.begin(), first.end(), std::size_t{0});
  return first;
}

/// A matrix on one side. `side` is "left" or "right", or empty where both are the same.
Grid grid_of(const Trace& trace, const Step& step, const GridChoice& choice, const char* side) {
  Grid grid = make_grid(trace, step, choice);
  grid.caption = comma_joined({side, grid.caption});
  grid.shares = false;  // sums and strips would take the room of the other side
  return grid;
}

/// The first few matrices of a step on one side.
void add_unmarked(MarkedGrids& made, const Trace& trace, const std::string& id, const char* side) {
  const Step& step = trace.at(id);
  std::vector<GridChoice> choices = chosen_grids(step, {}, false);
  bool whole = choices.size() <= kMostPairs;
  choices.resize(std::min(choices.size(), kMostPairs));
  for (const GridChoice& choice : choices) {
    Grid grid = grid_of(trace, step, choice, side);
    grid.starts_row = &choice == choices.data();
    const Grid& shown = made.grids.emplace_back(cut(
        grid, {}, {first_places(grid.row_labels.size()), first_places(grid.col_labels.size())}));
    const bool all = shown.numbers.size() == grid.numbers.size();
    if (all) made.grids.back().side = side;
    whole = whole && all;
  }
  if (!whole) made.left_out = "Only a part of the step is shown.";
}

}  // namespace

MarkedGrids marked_grids(const StepDifference& step, const Trace& left, const Trace& right) {
  if (!step.first) {
    MarkedGrids made;
    const bool same = step.in == Presence::Both && !step.differs();
    if (step.in != Presence::Right) add_unmarked(made, left, step.id, same ? "" : "left");
    if (step.in != Presence::Left && !same) add_unmarked(made, right, step.id, "right");
    made.grids.back().legend = true;
    return made;
  }
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
    const auto first = static_cast<std::size_t>(from - step.cells.begin()),
               count = static_cast<std::size_t>(to - from);
    const std::vector<double> gaps =
        gaps_of(std::span(step.cells).subspan(first, count), slice * size, size, l.value,
                right.value(step.id), *step.largest);
    const ShownPart part = part_of(gaps, cols);
    for (const Trace* trace : {&left, &right}) {
      const char* side = trace == &left ? "left" : "right";
      Grid grid = grid_of(*trace, trace->at(step.id), choices[slice], side);
      grid.starts_row = trace == &left;
      made.grids.push_back(cut(grid, gaps, part));
      const bool whole = made.grids.back().numbers.size() == grid.numbers.size();
      if (whole) made.grids.back().side = side;
    }
    const std::vector<double>& marks = made.grids.back().gaps;
    shown += std::count_if(marks.begin(), marks.end(), [](double gap) { return gap > 0.0; });
  }
  made.grids.back().legend = true;
  if (shown < std::ssize(step.cells)) {
    made.left_out = std::to_string(shown) + " of " + std::to_string(step.cells.size()) +
                    " cells that differ are shown.";
  }
  return made;
}

}  // namespace attn
