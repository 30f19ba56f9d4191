// Shows two computations side by side: a line for each step, then some steps with their numbers.
#include <algorithm>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/render/comparison_report.hpp"
#include "attn/render/formula.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/cells/worked_cell.hpp"
#include "render/story/steps/comparison_table.hpp"
#include "render/story/steps/marked_grids.hpp"
#include "render/story/steps/step_numbers.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

using Texts = std::vector<std::string>;

class Story {
 public:
  Story(const Comparison& comparison, const Trace& left, const Trace& right, int precision)
      : comparison_(comparison), left_(left), right_(right), numbers_(comparison, left, right) {
    document_.precision = precision;
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

  void add_table(const std::vector<const StepDifference*>& steps) {
    Table table{{"", "step", "what differs", "first cell", "largest gap", "mean gap"}, {}, 4};
    for (const StepDifference* step : steps)
      table.rows.push_back(comparison_row(*step, numbers_, left_, document_.precision));
    add(std::move(table));
  }

  /// The steps with those ids; without ids, all.
  std::vector<const StepDifference*> chosen(const Texts& ids) const {
    std::vector<const StepDifference*> steps;
    for (const StepDifference& step : comparison_.steps) {
      if (ids.empty() || std::find(ids.begin(), ids.end(), step.id) != ids.end())
        steps.push_back(&step);
    }
    return steps;
  }

  /// Where the two part, and what comes of it: the first step whose numbers differ, the weights of
  /// an attention, the last step.
  std::vector<const StepDifference*> telling() const {
    const StepDifference *first = nullptr, *weights = nullptr, *last = nullptr;
    for (const StepDifference& step : comparison_.steps) {
      if (step.in != Presence::Both || !step.differs()) continue;
      const StepRole role = left_.at(step.id).info().role;
      if (role == StepRole::Gradient && first != nullptr) break;
      if (first == nullptr && step.first) first = &step;
      if (role == StepRole::Weights && !left_.is_model()) weights = &step;
      last = &step;
    }
    std::vector<const StepDifference*> steps;
    for (const StepDifference* step : {first, weights, last}) {
      const bool is_new = std::find(steps.begin(), steps.end(), step) == steps.end();
      if (step != nullptr && is_new) steps.push_back(step);
    }
    std::sort(steps.begin(), steps.end());  // as computed
    return steps;
  }

  void add_what_differs() {
    const StepDifference* first = comparison_.first_different();
    if (first == nullptr) return add(Paragraph{nothing_differs(), Role::Footer});
    if (first->other_shape()) {
      add(Paragraph{"The shapes of " + first->id + " differ: " + shape_text(first->left_shape) +
                        " on the left, " + shape_text(first->right_shape) + " on the right.",
                    Role::Footer});
    }
  }

  void add_step(const StepDifference& step) {
    add(heading(step));
    const MarkedGrids grids = marked_grids(step, left_, right_);
    for (const Grid& grid : grids.grids) add(grid);
    if (!grids.left_out.empty()) add(Paragraph{grids.left_out, Role::Aside});
    if (step.in == Presence::Both && !step.differs())
      add(Paragraph{"The same on both sides.", Role::Aside});
    if (!step.first) return;
    const Step &left = left_.at(step.id), &right = right_.at(step.id);
    const Texts numbers = told_apart(left.value.at(*step.first), right.value.at(*step.first));
    add(Paragraph{place_text(cell_name(left, *step.first), left, *step.first) + " is " +
                      numbers[0] + " on the left and " + numbers[1] + " on the right.",
                  Role::Aside});
  }

  Document take() { return std::move(document_); }

 private:
  void add_notes(const std::string& side, const Texts& own, const Texts& others) {
    for (const std::string& note : own) {
      if (std::find(others.begin(), others.end(), note) == others.end())
        add(Paragraph{"(" + side + ") " + shortened(note), Role::Note});
    }
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
    const Step *left = left_.find(step.id), *right = right_.find(step.id);
    // A dump has no formulas.
    const bool by_right = left == nullptr || (right != nullptr && left->is_given());
    const Trace& named = by_right ? right_ : left_;
    const std::string shapes = step.other_shape() ? " | " + shape_text(step.right_shape) : "";
    StepHeading heading =
        heading_of(named, named.at(step.id), {},
                   shape_text(left == nullptr ? step.right_shape : step.left_shape) + shapes);
    if (left != nullptr && right != nullptr && !left->is_given() && !right->is_given()) {
      const std::string formula = formula_in_language(right_, *right);
      if (formula != heading.formula) heading.formula += "  |  " + formula;
    }
    if (heading.formula.empty()) heading.formula = step.id;  // a matrix that is no step
    heading.number = numbers_.of(step);
    heading.total = numbers_.total();
    return heading;
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
  const StepNumbers numbers_;
  Document document_;
};

}  // namespace

std::vector<std::string> steps_of_comparison(const Comparison& comparison, const Trace& left,
                                             const Trace& right, const Texts& names) {
  const StepNumbers numbers(comparison, left, right);
  std::vector<const Step*> numbered;
  for (const StepDifference& step : comparison.steps) {
    if (numbers.of(step) == 0) continue;
    const Step* on_left = left.find(step.id);
    numbered.push_back(on_left == nullptr ? &right.at(step.id) : on_left);
  }
  Texts ids;
  for (const std::string& name : names) {
    if (is_step_number(name)) {
      ids.push_back(step_of_number(name, numbered).id);
      continue;
    }
    bool found = false;
    for (const Trace* trace : {&left, &right}) {
      try {
        for (const Step* step : chosen_steps(*trace, {name})) ids.push_back(step->id);
        found = true;
      } catch (const Error&) {
        if (trace == &right && !found) throw;
      }
    }
  }
  return ids;
}

Document comparison_document(const Comparison& comparison, const ComparedSide& left,
                             const ComparedSide& right, const std::string& source, int precision,
                             const Texts& ids) {
  Story story(comparison, left.trace, right.trace, precision);
  story.add(Title{"Left: " + left.name + " | right: " + right.name});
  if (!source.empty()) story.add(Paragraph{source, Role::Facts});
  story.add_notes();
  const auto asked = story.chosen(ids);
  story.add_table(asked);
  if (ids.empty()) story.add_what_differs();
  for (const StepDifference* step : ids.empty() ? story.telling() : asked) story.add_step(*step);
  return story.take();
}

}  // namespace attn
