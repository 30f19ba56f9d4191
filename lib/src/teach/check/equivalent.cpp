// Answers that are right by a different route: tokens as columns, finite fills.
#include "teach/check/equivalent.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/check/finding.hpp"

namespace attn {
namespace {

/// Whether a matrix cannot be the transpose of its step by mistake: one that is not square.
bool shows_layout(const Step& step) {
  const Shape& shape = step.value.shape();
  return !step.info().is_pairwise() || shape.rows != shape.cols;
}

}  // namespace

bool is_truth(const Answer& answer, const Trace& truth, const Step& step,
              const Tolerance& tolerance) {
  const Closeness close{.tolerance = accepted_gap(tolerance, magnitude(truth, step))};
  const NumberSpan ours = step.value.data();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool filled = answer.states.empty() || answer.states[i] == CellState::Filled;
    if (filled && !close.agree(answer.numbers[i], ours[i])) return false;
  }
  return true;
}

bool is_equivalent(const MistakeRow& row) {
  const std::string_view code = row.words.code;
  return code.starts_with("equivalent.") || code.starts_with("layout.");
}

Answers in_rows(const Trace& truth, Answers answers, const CheckOptions& options,
                CheckReport& report) {
  const Tolerance tolerance = usual_tolerance(answers, options);
  const auto is_right = [&](const Answer& answer, const Step& step) {
    return is_truth(answer, truth, step, tolerance);
  };
  bool shown = false, sums = false;  // columns that add up to 1, which prove nothing alone
  int turned = 0, right = 0, all = 0;
  for (const Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (step == nullptr || each.shape.size() < 2) continue;
    const Shape& shape = step->value.shape();
    Shape columns = shape;
    std::swap(columns.rows, columns.cols);
    const bool fits = has_shape(each, shape), other_fits = has_shape(each, columns);
    const bool square = fits && other_fits;
    const bool upright = square ? is_right(each, *step) : fits;
    const bool other = square ? is_right(transposed(each), *step) : other_fits;
    ++all;
    turned += other && !upright;
    right += other_fits && is_right(transposed(each), *step);
    if (upright > other || (!fits && !other_fits)) return answers;
    if (!other || upright) continue;
    shown = shown || shows_layout(*step);
    sums = sums || step->info().role == StepRole::Weights;
  }
  const bool alone = all == 1 && right == 1;
  if (!(shown || (sums && all > 1)) || turned < (alone ? 1 : 2)) return answers;
  for (Answer& each : answers.matrices) each = transposed(each);
  report.findings.push_back(finding_of(*find_mistake("layout.columns"), 0, 0));
  return answers;
}

void accept_fills(const Trace& truth, GradedAnswer& judged) {
  const Step& step = *judged.step;
  const bool scores = step.info().role == StepRole::MaskedScores;
  const bool added = step.operation->name == std::string_view("added_mask");
  if (!judged.theirs || !step.info().is_pairwise() || step.info().role == StepRole::Weights) return;
  const HiddenCells hidden(truth, *step.scope);
  const Tensor& ours = step.value;
  const double largest = magnitude(truth, step);
  const double relative = largest > 0.0 ? std::min(0.02, judged.close.tolerance / largest) : 0.02;
  Index accepted = 0;
  std::size_t i = 0;
  for_each_slice(ours, [&](Index b, Index h) {
    for (Index r = 0; r < ours.rows(); ++r) {
      double most = added ? 0.0 : -kInfinity;  // of what softmax sees, whatever hides afterwards
      for (Index c = 0; c < ours.cols(); ++c) {
        const double x = ours.at({b, h, r, c});
        most = std::max(most, std::isnan(x) ? 0.0 : x);  // beside NaN, every weight is NaN
      }
      const double limit = added ? -1e4 : most - 40.0;  // e^−40 is 0 beside the largest weight
      for (Index c = 0; c < ours.cols(); ++c, ++i) {
        if (judged.state(i) != CellState::Filled || judged.report.cells[i] == CellVerdict::Right)
          continue;
        const double theirs = judged.theirs->at({b, h, r, c}), own = ours.at({b, h, r, c});
        if (!hidden({b, h, r, c})) continue;
        const bool fill = (scores || added) && theirs <= limit && own <= limit;
        const bool rounded = own <= kHides && std::isfinite(own) &&
                             std::abs(theirs - own) <= relative * std::abs(own);
        if (fill || rounded) judged.report.cells[i] = CellVerdict::Right;
        accepted += fill;
      }
    }
  });
  if (accepted > 0) {
    judged.report.findings.push_back(
        finding_of(*find_mistake("equivalent.fill"), accepted, accepted));
  }
}

namespace {

/// Whether the token of that row is seen by no query, as a key.
bool is_padding(const Trace& truth, const Step& step, Index batch, Index row) {
  const bool own = acting_mask(truth, *step.scope) != nullptr;
  const Scope& scope = own ? *step.scope : truth.attention();
  const Step* weights = truth.first_of(StepRole::Weights, scope);
  const HiddenCells hidden(truth, scope);
  if (weights == nullptr || weights->value.rows() != step.value.rows()) return false;
  const Tensor& a = weights->value;
  for (Index h = 0; h < a.heads() && a.rows() == a.cols() && batch < a.batch(); ++h) {
    for (Index query = 0; query < a.rows(); ++query) {
      if (!hidden({batch, h, query, row})) return false;
    }
  }
  return a.rows() == a.cols() && batch < a.batch();
}

}  // namespace

void accept_padded_rows(const Trace& truth, GradedAnswer& judged) {
  const Step& step = *judged.step;
  const auto weights = std::find_if(truth.steps.begin(), truth.steps.end(), [](const Step& each) {
    return each.info().role == StepRole::Weights;
  });
  const std::string_view rows = step.info().row_axis;
  const bool after =
      weights != truth.steps.end() && truth.steps.find(step.id) == &step && &step >= &*weights;
  if (!judged.theirs || !after || (rows != "query" && rows != "token")) return;
  const Tensor& theirs = *judged.theirs;
  const auto cols = static_cast<std::size_t>(theirs.cols());
  std::vector<std::size_t> accepted;
  std::size_t first = 0;  // cell of the row
  bool all = true;
  for_each_slice(theirs, [&](Index b, Index h) {
    for (Index r = 0; r < theirs.rows(); ++r, first += cols) {
      const auto row = theirs.row(b, h, r);
      const std::size_t before = accepted.size();
      for (std::size_t i = first; i < first + cols; ++i) {
        if (judged.report.cells[i] == CellVerdict::Wrong) accepted.push_back(i);
      }
      if (accepted.size() == before || !all) continue;
      all = std::all_of(row.begin(), row.end(), [](double x) { return x == 0.0; }) &&
            is_padding(truth, step, b, r);
    }
  });
  if (!all || accepted.empty()) return;
  for (const std::size_t i : accepted) judged.report.cells[i] = CellVerdict::Right;
  const auto count = static_cast<Index>(accepted.size());
  judged.report.findings.push_back(
      finding_of(*find_mistake("equivalent.padded_rows"), count, count));
}

void accept(GradedAnswer& judged, Finding finding) {
  for (CellVerdict& cell : judged.report.cells) {
    if (cell == CellVerdict::Wrong) cell = CellVerdict::Right;
  }
  judged.report.findings.push_back(std::move(finding));
  settle_verdict(judged.report);
}

}  // namespace attn
