// Guesses the blanks of a sheet without working them out.
// It follows cells to their only source and to what they are made from, uses rows that add up to 1,
// and copies matrices, 0 or 1.
#include "teach/exercise/guesses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"

namespace attn {
namespace {

constexpr double kEmpty = std::numeric_limits<double>::quiet_NaN();

/// A number of a step: the step, and its place there.
using Source = std::pair<const Step*, std::size_t>;

std::size_t place_in(const Tensor& t, const Cell& cell) {
  return static_cast<std::size_t>(
      ((cell.batch * t.heads() + cell.head) * t.rows() + cell.row) * t.cols() + cell.col);
}

bool is_on(const SheetModel& paper, const Step& step) {
  return std::find(paper.steps.begin(), paper.steps.end(), &step) != paper.steps.end();
}

void add_sources(const SheetModel& paper, const Step& step, const Cell& cell,
                 std::set<Source>& sources);

void add_leaves(const SheetModel& paper, const Step& step, const Expression& part,
                std::set<Source>& sources) {
  if (part.kind == Expression::Kind::Leaf) {
    const Step& input = paper.truth.input(step, static_cast<std::size_t>(part.input));
    if (is_on(paper, input) || input.is_given()) {
      sources.insert({&input, place_in(input.value, part.cell)});
    } else {
      add_sources(paper, input, part.cell, sources);
    }
  }
  for (const Expression& each : part.parts) {
    if (sources.size() < 2) add_leaves(paper, step, each, sources);
  }
}

/// Adds the numbers of the sheet, and of what is given, that a cell is made from: all, or two.
void add_sources(const SheetModel& paper, const Step& step, const Cell& cell,
                 std::set<Source>& sources) {
  if (!step.is_given()) add_leaves(paper, step, derive(paper.truth, step, cell), sources);
}

/// The only number that cell `i` of a step is made from, if there is only one.
std::optional<Source> only_source(const SheetModel& paper, const Step& step, std::size_t i) {
  if (step.is_given() || has_sums(step) || step.operation->sizes_meet != SizesMeet::No)
    return std::nullopt;
  std::set<Source> sources;
  add_sources(paper, step, step.value.shape().cell_at(static_cast<Index>(i)), sources);
  return sources.size() == 1 ? std::optional(*sources.begin()) : std::nullopt;
}

/// Where a number is on the sheet.
std::optional<std::size_t> cell_of(const SheetModel& paper, const Source& source) {
  const auto at = std::find(paper.steps.begin(), paper.steps.end(), source.first);
  if (at == paper.steps.end()) return std::nullopt;
  return paper.begin[static_cast<std::size_t>(at - paper.steps.begin())] + source.second;
}

/// Numbers for the ways in which cells are made: two cells have the same one if they are made by
/// the same arithmetic, in the same order, from the same numbers that are given or printed in full,
/// as where two rows of what is given are equal.
class CellRecipes {
 public:
  explicit CellRecipes(const SheetModel& paper) : paper_(paper) {}

  /// Nothing for a cell that no number of another step is in, such as a hidden one.
  std::optional<int> computed(const Step& step, std::size_t place) {
    const int recipe = of(step, place);
    return constants_.contains(recipe) ? std::nullopt : std::optional(recipe);
  }

 private:
  /// Kind and text of an expression, and the numbers of its parts, or a value.
  using Recipe = std::tuple<Expression::Kind, std::string, std::vector<int>, double>;

  bool is_printed(const Step& step) const {
    const auto at = std::find(paper_.steps.begin(), paper_.steps.end(), &step);
    return at != paper_.steps.end() &&
           !paper_.asked[static_cast<std::size_t>(at - paper_.steps.begin())];
  }

  int of(const Step& step, std::size_t place) {
    const auto [at, is_new] = known_.try_emplace({&step, place}, 0);
    if (!is_new) return at->second;
    const Cell cell = step.value.shape().cell_at(static_cast<Index>(place));
    return at->second = step.is_given() || is_printed(step)
                            ? of(step, constant(step.value.at(cell)))
                            : of(step, derive(paper_.truth, step, cell));
  }

  int of(const Step& step, const Expression& part) {
    if (part.kind == Expression::Kind::Leaf) {
      const Step& input = paper_.truth.input(step, static_cast<std::size_t>(part.input));
      return of(input, place_in(input.value, part.cell));
    }
    std::vector<int> parts;
    for (const Expression& each : part.parts) parts.push_back(of(step, each));
    const bool is_constant = part.kind == Expression::Kind::Constant;
    Recipe recipe{part.kind, is_constant ? "" : part.text, std::move(parts),
                  is_constant ? part.value : 0.0};
    const int number = static_cast<int>(recipes_.size());
    const auto at = recipes_.try_emplace(std::move(recipe), number).first;
    if (is_constant) constants_.insert(at->second);
    return at->second;
  }

  const SheetModel& paper_;
  std::map<Source, int> known_;
  std::map<Recipe, int> recipes_;
  std::set<int> constants_;
};

/// Calls visit(step, cell of the step, cell of the sheet).
template <class Visit>
void for_each_cell(const SheetModel& paper, Visit visit) {
  for (std::size_t s = 0; s < paper.steps.size(); ++s) {
    for (std::size_t i = paper.begin[s]; i < paper.begin[s + 1]; ++i)
      visit(*paper.steps[s], i - paper.begin[s], i);
  }
}

/// The matrices that can be copied into a step.
std::vector<const Step*> of_shape(const SheetModel& paper, const Step& like) {
  std::vector<const Step*> found;
  for (const Step* step : steps_and_givens(paper.truth)) {
    const bool there = step->is_given() || is_on(paper, *step);
    if (there && step != &like && step->value.shape() == like.value.shape() &&
        step->value.data().size() == like.value.data().size())
      found.push_back(step);
  }
  return found;
}

/// Whether a cell follows from printed ones: what it is tied to, or the rest of its row.
bool is_given_away(const SheetModel& paper, const std::vector<std::size_t>& tied, const Step& step,
                   std::size_t in_step, std::size_t cell) {
  for (const std::size_t other : tied) {
    if (!paper.blank[other]) return true;
  }
  if (!has_sums(step)) return false;
  const auto cols = static_cast<std::size_t>(step.value.cols());
  const std::size_t first = cell - in_step % cols;
  for (std::size_t i = first; i < first + cols; ++i) {
    if (i != cell && paper.blank[i]) return false;
  }
  return true;
}

constexpr double kLuck = 3.0;

/// Whether a weight is 0 because a mask hides its key.
bool is_hidden_weight(const SheetModel& paper, std::size_t cell) {
  return paper.trivial[cell] && paper.numbers[cell] == 0.0;
}

/// What takes luck: −1, 2 and −2 everywhere, copies of the next row, equal shares of what is left
/// of rows that add up to 1, of which somebody knows what the mask hides.
std::vector<Guess> lucky_guesses(const SheetModel& paper) {
  const std::size_t cells = paper.numbers.size();
  std::vector<Guess> all;
  for (const double x : {-1.0, 2.0, -2.0})
    all.push_back({filled("a sheet of {}", format_exact(x)), Cells(cells, x), kLuck});
  Guess next{"a sheet of copies of next rows", Cells(cells, kEmpty), kLuck};
  Guess shares{"a sheet of equal shares", Cells(cells, kEmpty), kLuck};
  for_each_cell(paper, [&](const Step& step, std::size_t in_step, std::size_t cell) {
    const auto cols = static_cast<std::size_t>(step.value.cols());
    const std::size_t size = step.value.data().size(), begin = cell - in_step;
    const std::size_t below = begin + (in_step + cols) % size;
    if (!paper.blank[below]) next.cells[cell] = paper.numbers[below];
    if (!has_sums(step)) return;
    double rest = 1.0, blanks = 0.0;
    for (std::size_t i = cell - in_step % cols, c = 0; c < cols; ++i, ++c) {
      const bool known = !paper.blank[i] || is_hidden_weight(paper, i);
      (known ? rest : blanks) += known ? -paper.numbers[i] : 1.0;
    }
    shares.cells[cell] = is_hidden_weight(paper, cell) ? 0.0 : rest / blanks;
  });
  all.push_back(std::move(next));
  all.push_back(std::move(shares));
  return all;
}

}  // namespace

bool has_sums(const Step& step) { return step.info().role == StepRole::Weights; }

std::vector<std::vector<std::size_t>> tied_cells(const SheetModel& paper) {
  const std::size_t cells = paper.numbers.size();
  std::vector<std::size_t> earlier(cells);  // a cell that gives this one away, or itself
  std::iota(earlier.begin(), earlier.end(), std::size_t{0});
  const auto first = [&](std::size_t cell) {
    while (earlier[cell] != cell) cell = earlier[cell];
    return cell;
  };
  const auto tie = [&](std::size_t one, std::size_t other) {
    one = first(one), other = first(other);
    earlier[std::max(one, other)] = std::min(one, other);
  };
  CellRecipes recipes(paper);
  std::map<std::pair<const Step*, int>, std::size_t> made;  // the first cell of each recipe
  for_each_cell(paper, [&](const Step& step, std::size_t in_step, std::size_t cell) {
    if (const std::optional<int> recipe = recipes.computed(step, in_step))
      tie(cell, made.try_emplace({&step, *recipe}, cell).first->second);
    const std::optional<Source> source = only_source(paper, step, in_step);
    if (const auto at = source ? cell_of(paper, *source) : std::nullopt) tie(cell, *at);
  });
  std::vector<std::vector<std::size_t>> tied(cells), all(cells);
  for (std::size_t i = 0; i < cells; ++i) tied[first(i)].push_back(i);
  for (std::size_t i = 0; i < cells; ++i) all[i] = tied[first(i)];
  return all;
}

void add_guessable(SheetModel& paper) {
  for_each_cell(paper, [&](const Step& step, std::size_t in_step, std::size_t cell) {
    const double x = paper.numbers[cell];
    const auto is = [&](double guess) {
      return x == guess || std::abs(x - guess) <= paper.tolerance * (1.0 + 1e-9);
    };
    const std::optional<Source> source = only_source(paper, step, in_step);
    bool easy = is(0.0) || is(1.0) || (source && !cell_of(paper, *source));
    for (const Step* other : of_shape(paper, step)) {
      const bool near = other->is_given() || std::find(step.inputs.begin(), step.inputs.end(),
                                                       other->id) != step.inputs.end();
      easy = easy || (near && is(other->value.data()[in_step]));
    }
    if (easy) paper.trivial[cell] = 1;
  });
}

std::vector<Guess> guesses(const SheetModel& paper) {
  const std::size_t cells = paper.numbers.size();
  std::vector<Guess> all{{"a sheet of zeros", Cells(cells, 0.0)},
                         {"a sheet of ones", Cells(cells, 1.0)},
                         {"what printed numbers give away", Cells(cells, kEmpty)}};
  const auto tied = tied_cells(paper);
  for_each_cell(paper, [&](const Step& step, std::size_t in_step, std::size_t cell) {
    if (is_given_away(paper, tied[cell], step, in_step, cell))
      all[2].cells[cell] = paper.numbers[cell];
    for (const Step* other : of_shape(paper, step)) {
      const std::string words = filled("a sheet of copies of {}", other->id);
      auto at = std::find_if(all.begin(), all.end(),
                             [&](const Guess& each) { return each.words == words; });
      if (at == all.end()) at = all.insert(at, {words, Cells(cells, kEmpty)});
      const auto printed = cell_of(paper, {other, in_step});
      const bool there = !printed || !paper.blank[*printed];
      if (there) at->cells[cell] = other->value.data()[in_step];
    }
  });
  for (Guess& each : lucky_guesses(paper)) all.push_back(std::move(each));
  return all;
}

}  // namespace attn
