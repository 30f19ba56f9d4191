// Answers fitted to the steps of a computation.
#include "teach/check/judged.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "attn/comparison.hpp"
#include "attn/error.hpp"
#include "attn/tool/phrases.hpp"
#include "attn/tool/suggest.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "core/trace/missing_step.hpp"

namespace attn {
namespace {

std::vector<Index> without_ones(std::vector<Index> sizes) {
  while (sizes.size() > 2 && sizes.front() == 1) sizes.erase(sizes.begin());
  return sizes;
}

/// The unit of the last decimal: 0.001 if all numbers have at most three.
double grain_of(const Answer& answer) {
  double unit = 1.0;
  for (int decimals = 0; decimals <= 9; ++decimals, unit /= 10.0) {
    const bool all = std::all_of(answer.numbers.begin(), answer.numbers.end(), [&](double x) {
      if (!std::isfinite(x)) return true;
      const double scaled = x / unit;
      return std::abs(scaled - std::round(scaled)) < 1e-4 * std::max(1.0, std::abs(scaled) * 1e-9);
    });
    if (all) return unit;
  }
  return 0.0;
}

Tolerance usual_tolerance(const Answers& answers, const CheckOptions& options) {
  if (options.tolerance) return *options.tolerance;
  if (!answers.by_program && !options.exact) return {.absolute = 0.01};
  return usual_tolerance(answers.dtype);
}

const Step* named(const Trace& truth, const std::string& id) { return truth.find_named(id); }

}  // namespace

double magnitude(const Trace& truth, const Step& step) {
  const HiddenCells hidden(truth, *step.scope);
  const Tensor& t = step.value;
  double most = 0.0;
  for_each_slice(t, [&](Index b, Index h) {
    for (Index r = 0; r < t.rows(); ++r) {
      for (Index c = 0; c < t.cols(); ++c) {
        const Cell cell{b, h, r, c};
        const bool counts =
            std::isfinite(t.at(cell)) && !(step.info().is_pairwise() && hidden(cell));
        if (counts) most = std::max(most, std::abs(t.at(cell)));
      }
    }
  });
  return most;
}

bool Closeness::agree(double theirs, double ours) const {
  if (std::isnan(ours) || std::isnan(theirs)) return std::isnan(ours) && std::isnan(theirs);
  if (std::isinf(ours) || std::isinf(theirs)) return ours == theirs;
  return std::abs(theirs - ours) <= tolerance * (1.0 + 1e-9);
}

bool Judged::wrong() const {
  const std::vector<CellVerdict>& cells = report.cells;
  return report.verdict == Verdict::Shape ||
         std::find(cells.begin(), cells.end(), CellVerdict::Wrong) != cells.end();
}

bool has_shape(const Answer& answer, const Shape& shape) {
  return answer.shape.size() >= 2 && without_ones(answer.shape) == without_ones(shape.sizes());
}

std::optional<Tensor> in_shape(const Answer& answer, const Shape& shape) {
  if (!has_shape(answer, shape)) return std::nullopt;
  return Tensor(shape, answer.numbers);
}

Answers filled_up(const Trace& truth, Answers answers) {
  for (Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (!each.open_ended || step == nullptr) continue;
    const std::vector<Index> sizes = step->value.shape().sizes();
    const bool within =
        each.shape.size() == sizes.size() &&
        std::equal(sizes.begin(), sizes.end(), each.shape.begin(), std::greater_equal<>());
    if (!within || each.shape == sizes) continue;
    Answer whole = each;
    whole.shape = sizes;
    const auto count = static_cast<std::size_t>(step->value.shape().count());
    whole.numbers.assign(count, std::numeric_limits<double>::quiet_NaN());
    whole.states.assign(count, CellState::Empty);
    for (std::size_t i = 0; i < each.numbers.size(); ++i) {
      std::size_t from = i, to = 0, factor = 1;
      for (std::size_t axis = sizes.size(); axis-- > 0;) {
        const auto size = static_cast<std::size_t>(each.shape[axis]);
        to += from % size * factor;
        from /= size;
        factor *= static_cast<std::size_t>(sizes[axis]);
      }
      whole.numbers[to] = each.numbers[i];
      whole.states[to] = each.states.empty() ? CellState::Filled : each.states[i];
    }
    each = std::move(whole);
  }
  return answers;
}

Answer transposed(const Answer& answer) {
  Answer turned = answer;
  const std::size_t rank = answer.shape.size();
  if (rank < 2) return turned;
  std::swap(turned.shape[rank - 1], turned.shape[rank - 2]);
  const auto rows = static_cast<std::size_t>(answer.shape[rank - 2]);
  const auto cols = static_cast<std::size_t>(answer.shape[rank - 1]);
  for (std::size_t i = 0; i < answer.numbers.size(); ++i) {
    const std::size_t slice = i / (rows * cols) * rows * cols;
    const std::size_t to = slice + i % cols * rows + i % (rows * cols) / cols;
    turned.numbers[to] = answer.numbers[i];
    if (!answer.states.empty()) turned.states[to] = answer.states[i];
  }
  return turned;
}

std::vector<Judged> fit(const Trace& truth, const Answers& answers, const CheckOptions& options,
                        CheckReport& report) {
  std::vector<const Step*> only;
  for (const std::string& name : options.steps) {
    const Step* step = named(truth, name);
    if (step == nullptr) throw missing_step(truth, name);
    only.push_back(step);
  }
  report.tolerance = usual_tolerance(answers, options);
  std::vector<Judged> fitted;
  for (const Answer& answer : answers.matrices) {
    const Step* step = named(truth, answer.id);
    if (step == nullptr) {
      report.notes.push_back(
          (is_step_id(answer.id) ? "this problem has no step \"" : "no step is called \"") +
          answer.id + "\"" + meant_step(truth, answer.id) +
          (is_step_id(answer.id) ? ": is a setting missing?" : ""));
      continue;
    }
    const bool again = std::any_of(fitted.begin(), fitted.end(),
                                   [&](const Judged& each) { return each.step == step; });
    if (again) {
      report.notes.push_back("\"" + answer.id + "\" is " + step->id +
                             " once more: only the first one counts");
      continue;
    }
    Judged judged;
    judged.step = step;
    judged.answer = &answer;
    judged.theirs = in_shape(answer, step->value.shape());
    judged.close.tolerance = report.tolerance.absolute;
    if (report.tolerance.relative > 0.0)
      judged.close.tolerance += report.tolerance.relative * magnitude(truth, *step);
    judged.close.grain = grain_of(answer);
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
  if (fitted.empty()) {
    std::vector<std::string> ids;
    for (const Step& step : truth.steps) ids.push_back(step.id);
    Diagnostic none{.id = "no-answers",
                    .what = answers.source + " has no matrix with the name of a step" +
                            (report.notes.empty() ? "" : "; " + report.notes.front()),
                    .places = {{.file = answers.source}},
                    .fix = "The steps of this problem are " + listed(ids, ids.size()) + "."};
    throw input_error(std::move(none));
  }
  for (const Step* step : only) {
    const bool there = std::any_of(fitted.begin(), fitted.end(),
                                   [&](const Judged& each) { return each.step == step; });
    if (there) continue;
    throw input_error({.id = "no-answers",
                       .what = answers.source + " has no matrix " + step->id,
                       .places = {{.file = answers.source}},
                       .fix = "Leave the step out, or add its matrix."});
  }
  for (Judged& each : fitted)
    each.graded = only.empty() || std::find(only.begin(), only.end(), each.step) != only.end();
  const std::vector<const Step*> order = steps_and_givens(truth);
  const auto place = [&](const Judged& each) {
    return std::find(order.begin(), order.end(), each.step) - order.begin();
  };
  std::stable_sort(fitted.begin(), fitted.end(),
                   [&](const Judged& a, const Judged& b) { return place(a) < place(b); });
  return fitted;
}

void judge(Judged& judged, const Tensor& truth, const Tensor& follows) {
  const std::vector<double>& theirs = judged.theirs->data();
  const auto cols = static_cast<std::size_t>(std::max<Index>(1, truth.cols()));
  judged.report.cells.resize(theirs.size());
  for (std::size_t row = 0; row < theirs.size(); row += cols) {
    // A row of which one part is only true and another only follows comes from neither.
    bool mixed = false;
    for (std::size_t i = row; i < row + cols; ++i) {
      mixed = mixed || (judged.state(i) == CellState::Filled &&
                        judged.close.agree(theirs[i], truth.data()[i]) &&
                        !judged.close.agree(theirs[i], follows.data()[i]));
    }
    for (std::size_t i = row; i < row + cols; ++i) {
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
          cell = judged.close.agree(theirs[i], truth.data()[i])               ? CellVerdict::Right
                 : !mixed && judged.close.agree(theirs[i], follows.data()[i]) ? CellVerdict::Follows
                                                                              : CellVerdict::Wrong;
      }
    }
  }
}

}  // namespace attn
