// Lists the most probable words in place of a matrix with a column for every word.
#include "render/story/best_words.hpp"

#include <algorithm>
#include <numeric>

#include "attn/tool/text.hpp"
#include "render/story/cell_names.hpp"
#include "render/story/step_grids.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr Index kBest = 5;

/// The columns of the largest numbers of a row, the largest first.
std::vector<Index> best_columns(std::span<const double> row) {
  std::vector<Index> columns(row.size());
  std::iota(columns.begin(), columns.end(), Index{0});
  const auto larger = [&](Index a, Index b) {
    return row[static_cast<std::size_t>(a)] > row[static_cast<std::size_t>(b)] ||
           (row[static_cast<std::size_t>(a)] == row[static_cast<std::size_t>(b)] && a < b);
  };
  const auto end = columns.begin() + std::min<Index>(kBest, std::ssize(columns));
  std::partial_sort(columns.begin(), end, columns.end(), larger);
  return {columns.begin(), end};
}

/// The name of a row, and "0.981 mange  0.010 lave …", the numbers as wide as the widest.
std::vector<std::string> line(const Step& step, Cell cell, const NumberFormat& format,
                              std::size_t width) {
  std::string words;
  for (const Index column : best_columns(step.value.row(cell.batch, cell.head, cell.row))) {
    cell.col = column;
    std::string number = format_number(step.value.at(cell), format);
    number.insert(0, width - std::min(width, number.size()), ' ');
    words += (words.empty() ? "" : "  ") + number + " " + col_label(step, cell);
  }
  return {row_label(step, cell), words};
}

}  // namespace

bool add_best_words(Document& document, const Step& step, const View& view) {
  const StepRole role = step.info().role;
  const bool words = role == StepRole::Logits || role == StepRole::Probabilities;
  if (!words || step.value.cols() <= kMostWords) return false;
  for (const GridChoice& grid : chosen_grids(step, view)) {
    const std::string best = role == StepRole::Logits ? "largest" : "most probable";
    Table table{.header = {grid.caption, best}, .rows = {}, .texts = 2, .inside = true};
    const NumberFormat format{view.precision, false};
    const auto [least, most] =
        std::minmax_element(step.value.data().begin(), step.value.data().end());
    const std::size_t width =
        std::max(format_number(*least, format).size(), format_number(*most, format).size());
    for (Index r = 0; r < step.value.rows(); ++r) {
      if (grid.row && r != *grid.row) continue;
      table.rows.push_back(line(step, {grid.batch, grid.head, r, 0}, format, width));
    }
    document.blocks.push_back(std::move(table));
  }
  return true;
}

}  // namespace attn
