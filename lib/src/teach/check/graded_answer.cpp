// Pairs matrices with steps, finds their tolerance and decimals, and judges cell by cell.
#include "teach/check/graded_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/comparison.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

/// The unit of the last decimal: 0.001 if all numbers have at most three.
double grain_of(NumberSpan numbers) {
  double unit = 1.0;
  for (int decimals = 0; decimals <= 9; ++decimals, unit /= 10.0) {
    const bool all = std::all_of(numbers.begin(), numbers.end(), [&](double x) {
      if (!std::isfinite(x)) return true;
      const double scaled = x / unit;
      return std::abs(scaled - std::round(scaled)) < 1e-4 * std::max(1.0, std::abs(scaled) * 1e-9);
    });
    if (all) return unit;
  }
  return 0.0;
}

}  // namespace

Tolerance usual_tolerance(const Answers& answers, const CheckOptions& options) {
  if (options.tolerance) return *options.tolerance;
  if (!answers.by_program && !options.exact) return {.absolute = 0.01};
  return usual_tolerance(answers.dtype);
}

std::string no_step_note(const Trace& truth, const std::string& name) {
  const std::vector<const Step*> in_layers = steps_named(truth, name);
  if (truth.is_model() && !in_layers.empty()) {
    return "this problem is a whole model: instead of \"" + name +
           "\", write a whole id, such as \"" + in_layers.front()->id + "\"";
  }
  if (!is_step_id(name)) return "no step is called \"" + name + "\"" + meant_step(truth, name);
  return "this problem has no step \"" + name + "\" (a setting may be missing)" +
         meant_step(truth, name);
}

double largest_visible(const Trace& truth, const Step& step) {
  const HiddenCells hidden(truth, *step.scope);
  const Tensor& t = step.value;
  double most = 0.0;
  const bool filled = step.info().role == StepRole::MaskedScores ||
                      step.operation->name == std::string_view("added_mask");
  for_each_slice(t, [&](Index b, Index h) {
    for (Index r = 0; r < t.rows(); ++r) {
      for (Index c = 0; c < t.cols(); ++c) {
        const Cell cell{b, h, r, c};
        const double size = std::abs(t.at(cell));
        const bool out = step.info().is_pairwise() && hidden(cell) && (filled || size >= -kHides);
        if (std::isfinite(size) && !out) most = std::max(most, size);
      }
    }
  });
  return most;
}

double magnitude(const Trace& truth, const Step& step) {
  double most = largest_visible(truth, step);
  // what is visible may be small beside the scores from which it comes
  const bool masked = step.info().role == StepRole::MaskedScores;
  for (std::size_t i = 0; masked && i < step.inputs.size(); ++i) {
    const Step& input = truth.input(step, i);
    if (input.info().role != StepRole::Mask) most = std::max(most, magnitude(truth, input));
  }
  // the gradient of b_k is a sum that is 0 up to rounding
  if (step.operation->name == std::string_view("add_columns"))
    most = std::max(most, magnitude(truth, truth.input(step, 0)));
  return most;
}

bool Closeness::agree(double theirs, double ours) const {
  if (std::isnan(ours) || std::isnan(theirs)) return std::isnan(ours) && std::isnan(theirs);
  if (std::isinf(ours) || std::isinf(theirs)) return ours == theirs;
  return covers(std::abs(theirs - ours));
}

Index GradedAnswer::filled_cells() const {
  Index filled = 0;
  for (std::size_t i = 0; i < numbers().size(); ++i) filled += state(i) == CellState::Filled;
  return filled;
}

double GradedAnswer::own_grain() const {
  std::vector<double> filled_in;
  for (std::size_t i = 0; i < numbers().size(); ++i) {
    if (state(i) == CellState::Filled) filled_in.push_back(numbers()[i]);
  }
  return grain_of(NumberSpan(filled_in));
}

bool GradedAnswer::is_not_finite(std::size_t i) const {
  if (report.cells[i] != CellVerdict::Wrong) return false;
  const double mine = theirs->data()[i];
  const bool hides = step->info().role == StepRole::MaskedScores && mine == -HUGE_VAL;
  return !std::isfinite(mine) && !hides;
}

Index GradedAnswer::not_finite_cells() const {
  Index found = 0;
  for (std::size_t i = 0; i < report.cells.size(); ++i) found += is_not_finite(i);
  return found;
}

Index GradedAnswer::finite_cells() const {
  Index found = 0;
  for (std::size_t i = 0; i < numbers().size(); ++i)
    found += state(i) == CellState::Filled && std::isfinite(numbers()[i]);
  return found;
}

bool GradedAnswer::settled() const {
  const auto good = [](CellVerdict cell) {
    return cell == CellVerdict::Right || cell == CellVerdict::Follows;
  };
  return theirs && !wrong() && std::any_of(report.cells.begin(), report.cells.end(), good);
}

bool GradedAnswer::wrong() const {
  const std::vector<CellVerdict>& cells = report.cells;
  return report.verdict == Verdict::Shape ||
         std::find(cells.begin(), cells.end(), CellVerdict::Wrong) != cells.end();
}

double GradedAnswer::growth(const Tensor& made) const {
  constexpr double kMuch = 10.0;
  double most = 0.0;
  for (const double x : made.data()) {
    const bool hidden = step->info().is_pairwise() && std::abs(x) >= -kHides;
    if (std::isfinite(x) && !hidden) most = std::max(most, std::abs(x));
  }
  return most > kMuch * largest && largest > 0.0 ? most / largest : 1.0;
}

std::vector<GradedAnswer> fit(const Trace& truth, Answers& answers, const CheckOptions& options,
                              CheckReport& report) {
  std::vector<const Step*> only;
  for (const std::string& name : options.steps) {
    const Step* step = truth.find_named(name);
    if (step == nullptr) throw missing_step(truth, name);
    only.push_back(step);
  }
  report.tolerance = usual_tolerance(answers, options);
  std::vector<GradedAnswer> fitted;
  constexpr std::size_t kMostUnknown = 20;  // names that get a note of their own
  std::size_t unknown = 0;
  std::vector<std::string> small;  // steps whose numbers are not large beside the tolerance
  std::set<const Step*> there;
  for (Answer& answer : answers.matrices) {
    const Step* step = truth.find_named(answer.id);
    if (step == nullptr) {
      if (++unknown <= kMostUnknown) report.notes.push_back(no_step_note(truth, answer.id));
      continue;
    }
    if (!there.insert(step).second) {
      report.notes.push_back("\"" + answer.id + "\" is a second matrix for " + step->id +
                             "; only the first counts");
      continue;
    }
    GradedAnswer judged;
    judged.step = step;
    judged.answer = &answer;
    const double largest = magnitude(truth, *step);
    judged.largest = truth.is_model() ? largest : 0.0;
    judged.close.tolerance = accepted_gap(report.tolerance, largest);
    if (!options.tolerance && largest > 0.0 && 10.0 * report.tolerance.absolute > largest)
      small.push_back(step->id);
    judged.close.grain = grain_of(answer.numbers);
    if (has_shape(answer, step->value.shape()))
      judged.theirs = Tensor(step->value.shape(), std::move(answer.numbers));
    StepReport& own = judged.report;
    own.id = step->id;
    own.shape = step->value.shape().sizes();
    own.given_shape = answer.shape;
    own.unreadable = answer.unreadable;
    if (answer.shape.empty()) {
      own.verdict = Verdict::Unreadable;
    } else if (!judged.theirs) {
      own.verdict = Verdict::Shape;
    }
    fitted.push_back(std::move(judged));
  }
  if (unknown > kMostUnknown) {
    report.notes.push_back("no step has any of " + std::to_string(unknown - kMostUnknown) +
                           " other names, either");
  }
  if (!small.empty()) {
    report.notes.push_back(filled(
        "±{} is more than a tenth of the largest number in {}: wrong numbers may pass for right; "
        "a stricter tolerance, or one in %, shows them",
        format_exact(report.tolerance.absolute), together(small)));
  }
  if (fitted.empty()) {
    std::vector<std::string> ids;
    for (const Step& step : truth.steps) ids.push_back(step.id);
    Diagnostic none{.id = "no-answers",
                    .what = answers.source + " has no matrix named after a step" +
                            (report.notes.empty() ? "" : "; " + report.notes.front()),
                    .places = {{.file = answers.source}},
                    .fix = "The steps of this problem are " + listed(ids, ids.size()) + "."};
    throw input_error(std::move(none));
  }
  for (const Step* step : only) {
    if (there.contains(step)) continue;
    throw input_error({.id = "no-answers",
                       .what = answers.source + " has no matrix " + step->id,
                       .places = {{.file = answers.source}},
                       .fix = "Leave the step out, or add its matrix."});
  }
  for (GradedAnswer& each : fitted)
    each.graded = only.empty() || std::find(only.begin(), only.end(), each.step) != only.end();
  std::map<const Step*, std::size_t> places;
  for (const Step* step : steps_and_givens(truth)) places.emplace(step, places.size());
  const auto place = [&](const GradedAnswer& each) {
    const auto at = places.find(each.step);
    return at == places.end() ? places.size() : at->second;
  };
  std::stable_sort(fitted.begin(), fitted.end(), [&](const GradedAnswer& a, const GradedAnswer& b) {
    return place(a) < place(b);
  });
  return fitted;
}

Index count(const std::vector<CellVerdict>& cells, CellVerdict verdict) {
  return std::count(cells.begin(), cells.end(), verdict);
}

void judge(GradedAnswer& judged, const Tensor& truth, const Tensor& follows) {
  const NumberSpan theirs = judged.theirs->data(), right = truth.data(), made = follows.data();
  const Closeness loose{.tolerance = judged.close.tolerance * judged.growth(follows)};
  judged.report.cells.resize(theirs.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    CellVerdict& cell = judged.report.cells[i];
    switch (judged.state(i)) {
      case CellState::Empty:
        cell = CellVerdict::Empty;
        break;
      case CellState::Unreadable:
        cell = CellVerdict::Unreadable;
        break;
      case CellState::Given:
        cell = CellVerdict::Given;
        break;
      case CellState::Filled:
        cell = judged.close.agree(theirs[i], right[i]) ? CellVerdict::Right
               : loose.agree(theirs[i], made[i])       ? CellVerdict::Follows
                                                       : CellVerdict::Wrong;
    }
  }
}

void settle_verdict(StepReport& step) {
  if (step.verdict == Verdict::Shape || step.verdict == Verdict::Unreadable) return;
  const auto has = [&](CellVerdict verdict) {
    return std::find(step.cells.begin(), step.cells.end(), verdict) != step.cells.end();
  };
  step.verdict = has(CellVerdict::Wrong) || has(CellVerdict::Unreadable) ? Verdict::Wrong
                 : has(CellVerdict::Follows)                             ? Verdict::Follows
                 : has(CellVerdict::Right) || !has(CellVerdict::Empty)   ? Verdict::Right
                                                                         : Verdict::Empty;
}

}  // namespace attn
