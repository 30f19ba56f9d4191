// Finds where in a step the wrong cells are.
#include "render/story/checks/check_marks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/story/steps/step_grids.hpp"

namespace attn {
namespace {

constexpr Index kMostMarkedColumns = 32;
constexpr std::size_t kMostMarkedRows = 12;
constexpr std::size_t kMostNamed = 5;

bool is_wrong(CellVerdict verdict) {
  return verdict == CellVerdict::Wrong || verdict == CellVerdict::Unreadable;
}

/// The different values of one coordinate.
std::set<Index> values_of(const std::vector<Cell>& cells, Index Cell::*axis) {
  std::set<Index> values;
  for (const Cell& cell : cells) values.insert(cell.*axis);
  return values;
}

/// "head 1: ", "heads 0, 2: "; nothing if all of them, or the only one.
std::string some_of(const std::set<Index>& values, Index all, const char* one, const char* more) {
  if (std::ssize(values) == all) return "";
  std::vector<std::string> words;
  for (const Index value : values) words.push_back(std::to_string(value));
  return labelled(translated(words.size() == 1 ? one : more, listed(words, kMostNamed)), "");
}

/// `the row of "cat"`, `the rows of "cat", "sat"`; `name` is that of the row or column of a cell.
std::string lines_text(const Step& step, const std::vector<Cell>& cells, Index Cell::*axis,
                       std::string (*name)(const Step&, const Cell&), const char* one,
                       const char* more) {
  std::map<Index, std::string> in_order;
  for (const Cell& cell : cells) in_order.try_emplace(cell.*axis, name(step, cell));
  std::vector<std::string> names;
  for (auto& each : in_order) names.push_back(std::move(each.second));
  return translated(names.size() == 1 ? one : more, listed(names, kMostNamed));
}

}  // namespace

std::vector<Cell> wrong_cells(const Step& step, const StepReport& report) {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < report.cells.size(); ++i) {
    if (is_wrong(report.cells[i]))
      cells.push_back(step.value.shape().cell_at(static_cast<Index>(i)));
  }
  return cells;
}

std::string first_names(const Step& step, const std::vector<Cell>& cells) {
  const Shape& shape = step.value.shape();
  std::vector<std::string> names;
  for (const Cell& cell : cells) {
    if (names.size() > kMostNamed) break;
    std::string name = cell_name(step, cell);
    if (shape.heads) name = translated("{cell} of {head}", name, head_text(step, cell));
    if (shape.batch) name = translated("{name} in batch entry {n}", name, cell.batch);
    names.push_back(std::move(name));
  }
  return listed(names, kMostNamed);
}

std::string where_text(const Step& step, const StepReport& report, const std::vector<Cell>& cells) {
  const Tensor& t = step.value;
  const std::string matrices =
      some_of(values_of(cells, &Cell::batch), t.batch(), in_catalogue("batch entry {n}"),
              in_catalogue("batch entries {n}")) +
      some_of(values_of(cells, &Cell::head), t.heads(),
              has_kv_heads(step) ? in_catalogue("kv head {n}") : in_catalogue("head {n}"),
              has_kv_heads(step) ? in_catalogue("kv heads {n}") : in_catalogue("heads {n}"));
  const auto filled = std::count_if(report.cells.begin(), report.cells.end(), [](CellVerdict v) {
    return v != CellVerdict::Given && v != CellVerdict::Empty;
  });
  if (std::ssize(cells) == filled && filled > 1) return translated("every cell that is filled in");
  const auto rows = std::ssize(values_of(cells, &Cell::row));
  const auto cols = std::ssize(values_of(cells, &Cell::col));
  if (cols < rows && cols < t.cols())
    return matrices + lines_text(step, cells, &Cell::col, quoted_col,
                                 in_catalogue("the column of {names}"),
                                 in_catalogue("the columns of {names}"));
  if (rows == t.rows() && rows > 1) return matrices + translated("some cells of every row");
  return matrices + lines_text(step, cells, &Cell::row, quoted_row,
                               in_catalogue("the row of {names}"),
                               in_catalogue("the rows of {names}"));
}

std::vector<Grid> maps_of(const Trace& trace, const Step& step, const StepReport& report,
                          const std::vector<Cell>& cells) {
  const Tensor& t = step.value;
  std::vector<Grid> maps;
  if (t.cols() > kMostMarkedColumns) return maps;
  std::size_t shown = 0;
  for (const GridChoice& choice : chosen_grids(step, View{}, false)) {
    std::set<std::size_t> rows;
    for (const Cell& cell : cells) {
      const bool here = cell.batch == choice.batch && cell.head == choice.head;
      if (here && shown + rows.size() < kMostMarkedRows)
        rows.insert(static_cast<std::size_t>(cell.row));
    }
    if (rows.empty()) continue;
    shown += rows.size();
    Grid& grid = maps.emplace_back(make_grid(trace, step, choice));
    const auto first =
        report.cells.begin() + (choice.batch * t.heads() + choice.head) * t.rows() * t.cols();
    grid.marks = {first, first + t.rows() * t.cols()};
    grid.rows = {rows.begin(), rows.end()};
    grid.kinds.assign(grid.marks.size(), CellKind::Number);
    grid.numbers.clear();  // the right ones
    grid.shares = false;
    grid.legend = true;
  }
  return maps;
}

}  // namespace attn
