// Shows two computations side by side: a line for each step, then the first that differs.
#include <algorithm>
#include <set>
#include <span>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/comparison_report.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/story/steps/marked_grids.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

using Texts = std::vector<std::string>;

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
  Texts labels;
  for (const Cell& cell : step.rows) labels.push_back(row_label(names, cell));
  return (labels.size() == 1 ? "row " : "rows ") + separated(labels, ", ");
}

/// `name` of a cell with its head and batch entry if there are several: "A[cat, the] of head 1".
std::string place_text(std::string name, const Step& step, const Cell& cell) {
  const bool heads = step.value.heads() > 1, batch = step.value.batch() > 1;
  if (heads) name += " of " + head_text(step, cell);
  if (batch) name += (heads ? ", batch " : " of batch ") + std::to_string(cell.batch);
  return name;
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

class Story {
 public:
  Story(const Comparison& comparison, const Trace& left, const Trace& right, int precision)
      : comparison_(comparison), left_(left), right_(right) {
    document_.precision = precision;
    const std::set<std::string_view> by_left = unnumbered(left), by_right = unnumbered(right);
    for (const StepDifference& step : comparison.steps) {
      const bool none = by_left.count(step.id) + by_right.count(step.id) > 0;
      numbers_.push_back(none ? 0 : ++total_);
    }
  }

  void add(Block block) { document_.blocks.push_back(std::move(block)); }

  /// What both computations have to say, then what only one has.
  void add_notes() {
    for (const std::string& note : left_.notes) {
      if (std::find(right_.notes.begin(), right_.notes.end(), note) != right_.notes.end())
        add(Paragraph{shortened(note), Role::Note});
    }
    add_notes("left", left_.notes, right_.notes);
    add_notes("right", right_.notes, left_.notes);
  }

  void add_table() {
    Table table{{"", "step", "what differs", "first cell", "largest gap", "mean gap"}, {}, 4};
    for (const StepDifference& step : comparison_.steps) table.rows.push_back(row(step));
    add(std::move(table));
  }

  void add_first_difference() {
    const StepDifference* first = comparison_.first_different();
    if (first == nullptr) return add(Paragraph{nothing_differs(), Role::Footer});
    if (first->other_shape()) {
      add(Paragraph{"The shapes of " + first->id + " differ: " + shape_text(first->left_shape) +
                        " on the left, " + shape_text(first->right_shape) + " on the right.",
                    Role::Footer});
    }
    const auto numbers = std::find_if(comparison_.steps.begin(), comparison_.steps.end(),
                                      [](const StepDifference& step) { return !!step.first; });
    if (numbers != comparison_.steps.end()) add_step(*numbers);
  }

  Document take() { return std::move(document_); }

 private:
  void add_notes(const std::string& side, const Texts& own, const Texts& others) {
    for (const std::string& note : own) {
      if (std::find(others.begin(), others.end(), note) == others.end())
        add(Paragraph{"(" + side + ") " + shortened(note), Role::Note});
    }
  }

  /// 0 for a mask, which `numbered_steps` leaves out.
  std::size_t number_of(const StepDifference& step) const {
    return numbers_[static_cast<std::size_t>(&step - comparison_.steps.data())];
  }

  std::string gap_text(double x) const {
    return format_number(x, {document_.precision, choose_format(std::span(&x, 1), 0).scientific});
  }

  Texts row(const StepDifference& step) const {
    const std::size_t number = number_of(step);
    const auto digits = static_cast<std::ptrdiff_t>(std::to_string(total_).size());
    Texts texts{number == 0 ? "" : pad_left(std::to_string(number), digits), step.id};
    if (step.in != Presence::Both) {
      texts.push_back(step.in == Presence::Left ? "left only" : "right only");
    } else if (step.other_shape()) {
      texts.push_back("shape " + shape_text(step.left_shape) + " | " +
                      shape_text(step.right_shape));
    } else {
      const Step& left = left_.at(step.id);
      texts.push_back(step.first ? rows_text(step, left.value, left) : "nothing");
      texts.push_back(step.first ? first_text(left, *step.first) : "");
      if (*step.largest != 0.0) {
        texts.push_back(gap_text(*step.largest));
        texts.push_back(gap_text(*step.mean));
      }
    }
    texts.resize(6);
    return texts;
  }

  std::string nothing_differs() const {
    const Tolerance& t = comparison_.tolerance;
    const bool exact =
        std::all_of(comparison_.steps.begin(), comparison_.steps.end(),
                    [](const StepDifference& step) { return step.largest.value_or(0.0) == 0.0; });
    if (exact) return "No number differs.";
    if (t.relative == 0.0)
      return "No number differs by more than " + format_exact(t.absolute) + ".";
    return "No number differs by more than " + format_exact(t.relative) +
           " times the largest number of its step.";
  }

  StepHeading heading(const StepDifference& step) const {
    const Step &left = left_.at(step.id), &right = right_.at(step.id);
    const Trace& named = left.is_given() ? right_ : left_;  // a dump has no formulas
    StepHeading heading = heading_of(named, named.at(step.id), {}, shape_text(step.left_shape));
    const std::string formula = formula_text(right_, right);
    const bool both = !left.is_given() && !right.is_given();
    if (both && formula != heading.formula) heading.formula += "  |  " + formula;
    if (heading.formula.empty()) heading.formula = step.id;  // a matrix that is no step
    heading.number = number_of(step);
    heading.total = total_;
    return heading;
  }

  void add_step(const StepDifference& step) {
    add(heading(step));
    const MarkedGrids grids = marked_grids(step, left_, right_);
    for (const Grid& grid : grids.grids) add(grid);
    if (!grids.left_out.empty()) add(Paragraph{grids.left_out, Role::Aside});
    const Step &left = left_.at(step.id), &right = right_.at(step.id);
    const Texts numbers = told_apart(left.value.at(*step.first), right.value.at(*step.first));
    add(Paragraph{place_text(cell_name(left, *step.first), left, *step.first) + " is " +
                      numbers[0] + " on the left and " + numbers[1] + " on the right.",
                  Role::Aside});
  }

  /// Both numbers, with more decimals than the matrices if they look alike.
  Texts told_apart(double left, double right) const {
    constexpr int kMostDecimals = 17;
    for (int decimals = document_.precision;; ++decimals) {
      Texts both{short_number(left, decimals), short_number(right, decimals)};
      if (both[0] != both[1] || decimals >= kMostDecimals) return both;
    }
  }

  const Comparison& comparison_;
  const Trace &left_, &right_;
  std::vector<std::size_t> numbers_;  // by step
  std::size_t total_ = 0;
  Document document_;
};

}  // namespace

Document comparison_document(const Comparison& comparison, const ComparedSide& left,
                             const ComparedSide& right, const std::string& source, int precision) {
  Story story(comparison, left.trace, right.trace, precision);
  story.add(Title{"Left: " + left.name + " | right: " + right.name});
  if (!source.empty()) story.add(Paragraph{source, Role::Facts});
  story.add_notes();
  story.add_table();
  story.add_first_difference();
  return story.take();
}

}  // namespace attn
