// Marks trivial cells, counts products, and works through the steps with rounded numbers.
#include "teach/exercise/sheet_model.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "core/trace/missing_step.hpp"
#include "teach/check/equivalent.hpp"
#include "teach/exercise/guesses.hpp"

namespace attn {
namespace {

constexpr double kClear = 5.0;  // tolerances

/// Cells that can be filled in without knowing the scores.
void add_trivial(const Trace& truth, const Step& step, std::vector<char>& trivial) {
  const Tensor& t = step.value;
  const HiddenCells hidden(truth, *step.scope);
  for_each_slice(t, [&](Index b, Index h) {
    for (Index r = 0; r < t.rows(); ++r) {
      Index visible = 0;
      for (Index c = 0; c < t.cols(); ++c) visible += !hidden({b, h, r, c});
      for (Index c = 0; c < t.cols(); ++c) {
        const bool weight = step.info().role == StepRole::Weights;
        trivial.push_back(shows_hidden(truth, step) &&
                          (hidden({b, h, r, c}) || (weight && visible == 1)));
      }
    }
  });
}

Index products(const Expression& expression) {
  if (expression.kind != Expression::Kind::Product) {
    Index count = 0;
    for (const Expression& part : expression.parts) count += products(part);
    return count;
  }
  return std::none_of(expression.parts.begin(), expression.parts.end(),
                      [](const Expression& part) { return part.value == 0.0; });
}

}  // namespace

SheetModel::SheetModel(const Sheet& sheet)
    : truth(attend(make_problem(sheet.problem))),
      right(truth),
      decimals(sheet.decimals),
      tolerance(sheet.accept_within) {
  for (const SheetStep& each : sheet.steps) {
    const Step* step = truth.find(each.id);
    if (step == nullptr) throw missing_step(truth, each.id);
    const auto cells = std::ssize(step->value.data());
    if (!each.blank.empty() && std::ssize(each.blank) != cells)
      throw input_error({.id = "shape-mismatch",
                         .what = filled("{} has {} on the sheet, and {} in the computation",
                                        each.id, counted(std::ssize(each.blank), "cell"), cells),
                         .fix = "Use the sheet as it was handed out."});
    begin.push_back(numbers.size());
    steps.push_back(step);
    asked.push_back(each.points > 0.0);
    for (const double x : step->value.data()) numbers.push_back(rounded_to(x, decimals));
    if (step->info().is_pairwise()) add_trivial(truth, *step, trivial);
    trivial.resize(numbers.size());
    blank.insert(blank.end(), each.blank.begin(), each.blank.end());
    blank.resize(numbers.size());
  }
  begin.push_back(numbers.size());
  add_guessable(*this);
}

bool SheetModel::clearly_differ(double a, double b) const {
  return a != b && !(std::abs(a - b) < kClear * tolerance) && !std::isnan(a) && !std::isnan(b);
}

double SheetModel::work() const {
  Index count = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const Step& step = *steps[s];
    if (step.is_given() || step.operation->sizes_meet == SizesMeet::No || !asked[s]) continue;
    for_each_slice(step.value, [&](Index b, Index h) {
      for (Index r = 0; r < step.value.rows(); ++r) {
        for (Index c = 0; c < step.value.cols(); ++c)
          count += products(derive(truth, step, {b, h, r, c}));
      }
    });
  }
  return static_cast<double>(count);
}

Suspects::Suspects(const Trace& truth) : all(candidates(truth)) {
  for (const Candidate& each : all) {
    const bool known = std::any_of(mistakes.begin(), mistakes.end(),
                                   [&](const Candidate* other) { return other->row == each.row; });
    if (!known && !is_equivalent(*each.row)) mistakes.push_back(&each);
  }
}

const Candidate* Suspects::find(const std::string& code) const {
  const auto at = std::find_if(mistakes.begin(), mistakes.end(), [&](const Candidate* each) {
    return each->row->words.code == code;
  });
  return at == mistakes.end() ? nullptr : *at;
}

std::optional<Cells> worked(const SheetModel& paper, const Variation& change) {
  Cells cells(paper.numbers.size());
  std::deque<Tensor> own;
  std::size_t written = 0;
  bool possible = true;
  const auto visit = [&](const std::string& id, const Tensor& made, bool, const Tensor*& used) {
    const Step* step = paper.truth.find(id);
    const auto at = std::find(paper.steps.begin(), paper.steps.end(), step);
    const bool asked = step != nullptr && at != paper.steps.end();
    std::size_t cell = asked ? paper.begin[static_cast<std::size_t>(at - paper.steps.begin())] : 0;
    if (step != nullptr && step->is_given()) {  // it is printed as it is
      for (Index i = 0; asked && i < step->value.shape().count(); ++i, ++cell)
        cells[cell] = paper.numbers[cell];
      written += asked ? 1 : 0;
      return true;
    }
    Tensor& mine = own.emplace_back(made);
    for (double& x : mine.edit()) x = rounded_to(x, paper.decimals);
    used = &mine;
    if (!asked) return true;
    possible = made.shape() == step->value.shape();
    if (!possible) return false;
    for (double& x : mine.edit()) {
      cells[cell] = x;
      if (!paper.blank[cell]) x = paper.numbers[cell];
      possible = possible && !std::isnan(x);
      ++cell;
    }
    ++written;
    return possible;
  };
  std::vector<std::string> ids;
  for (const Step* step : paper.steps) ids.push_back(step->id);
  Evaluation(paper.truth, paper.right, change, ids, visit);
  if (!possible || written < paper.steps.size()) return std::nullopt;
  return cells;
}

Variation honest_work(const Trace& truth) {
  Variation work{.recipe = opened_softmax()};
  const Step* scaled = truth.find("scaled_scores");
  if (scaled != nullptr && scaled->parameters.find("factor") != nullptr) {
    const double root = std::round(1000.0 / scaled->parameters.number("factor")) / 1000.0;
    work.recipe.push_back(with(scaled->id, {{"factor", 1.0 / root}}));
  }
  return work;
}

Sheet filled_in(Sheet sheet, const Cells& cells) {
  std::size_t cell = 0;
  for (SheetStep& step : sheet.steps) {
    step.numbers.resize(step.blank.size());
    for (std::size_t i = 0; i < step.blank.size(); ++i, ++cell) {
      if (step.blank[i]) step.numbers[i] = cells[cell];
    }
  }
  return sheet;
}

}  // namespace attn
