// Tables of two computations: a line for each step.
#include "render/story/steps/comparison_table.hpp"

#include <algorithm>
#include <set>
#include <span>

#include "attn/phrases.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// How many rows differ, in all heads and batch entries together.
std::size_t rows_that_differ(const StepDifference& step, std::size_t cols) {
  std::size_t rows = 0;
  for (std::size_t i = 0; i < step.cells.size(); ++i)
    rows += i == 0 || step.cells[i] / cols != step.cells[i - 1] / cols ? 1 : 0;
  return rows;
}

/// The rows that differ, by name if they are few: "rows cat, mat", "all rows", "5 of 12 rows".
std::string rows_text(const StepDifference& step, const Tensor& value, const Step& names) {
  const auto cols = static_cast<std::size_t>(value.cols());
  const std::size_t all = value.data().size() / cols, differ = rows_that_differ(step, cols);
  if (differ == all) return "all rows";
  constexpr std::size_t kMostListed = 3;
  if (step.rows.size() > kMostListed || value.batch() > 1)
    return std::to_string(differ) + " of " + std::to_string(all) + " rows";
  std::vector<std::string> labels;
  for (const Cell& cell : step.rows) labels.push_back(row_label(names, cell));
  return (labels.size() == 1 ? "row " : "rows ") + separated(labels, ", ");
}

/// "cat, the of head 1": the table names the step.
std::string first_text(const Step& step, const Cell& cell) {
  return place_text(row_label(step, cell) + ", " + col_label(step, cell), step, cell);
}

/// Steps to which `explain` gives no number: masks.
std::set<std::string_view> unnumbered(const Trace& trace) {
  std::set<std::string_view> ids;
  for (const Step& step : trace.steps) ids.insert(step.id);
  for (const Step* step : numbered_steps(trace, {})) ids.erase(step->id);
  return ids;
}

std::string gap_text(double x, int precision) {
  return format_number(x, {precision, choose_format(std::span(&x, 1), 0).scientific});
}

}  // namespace

/// `name` of a cell with its head and batch entry if there are several: "A[cat, the] of head 1".
std::string place_text(std::string name, const Step& step, const Cell& cell) {
  const bool heads = step.value.heads() > 1, batch = step.value.batch() > 1;
  if (heads) name += " of " + head_text(step, cell);
  if (batch) name += (heads ? ", batch " : " of batch ") + std::to_string(cell.batch);
  return name;
}

StepNumbers::StepNumbers(const Comparison& comparison, const Trace& left, const Trace& right)
    : steps_(comparison.steps.data()) {
  const std::set<std::string_view> by_left = unnumbered(left), by_right = unnumbered(right);
  for (const StepDifference& step : comparison.steps) {
    const bool none = by_left.count(step.id) + by_right.count(step.id) > 0;
    numbers_.push_back(none ? 0 : ++total_);
  }
}

std::vector<std::string> comparison_row(const StepDifference& step, const StepNumbers& numbers,
                                        const Trace& left_side, int precision) {
  const std::size_t number = numbers.of(step);
  const auto digits = static_cast<std::ptrdiff_t>(std::to_string(numbers.total()).size());
  std::vector<std::string> texts{number == 0 ? "" : pad_left(std::to_string(number), digits),
                                 step.id};
  if (step.in != Presence::Both) {
    texts.push_back(step.in == Presence::Left ? "left only" : "right only");
  } else if (step.other_shape()) {
    texts.push_back("shape " + shape_text(step.left_shape) + " | " + shape_text(step.right_shape));
  } else {
    const Step& left = left_side.at(step.id);
    texts.push_back(step.first ? rows_text(step, left.value, left) : "nothing");
    texts.push_back(step.first ? first_text(left, *step.first) : "");
    if (*step.largest != 0.0) {
      texts.push_back(gap_text(*step.largest, precision));
      texts.push_back(gap_text(*step.mean, precision));
    }
  }
  texts.resize(6);
  return texts;
}

}  // namespace attn
