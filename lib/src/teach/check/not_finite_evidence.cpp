// ∞ and NaN where numbers belong: how many, in which rows or columns, and what usually makes them.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/tensor/dtype.hpp"
#include "core/trace/hidden_cells.hpp"
#include "teach/check/evidence.hpp"

namespace attn {
namespace {

/// What is not finite in a matrix.
struct Extent {
  Index cells = 0, nan = 0, filled = 0;
  Cell first;
  std::vector<Cell> rows, cols;  ///< the first cell of each; none unless they are so as a whole

  bool is_all() const { return cells == filled && cells > 1; }
};

/// The rows, or the columns, that have such a cell; none if one of them has another, too.
std::vector<Cell> whole_lines(const GradedAnswer& judged, Index Cell::*across) {
  std::set<std::tuple<Index, Index, Index>> lines, others;
  std::vector<Cell> firsts;
  for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
    if (!judged.filled(i)) continue;
    const Cell cell = judged.step->value.shape().cell_at(static_cast<Index>(i));
    const std::tuple line{cell.batch, cell.head, cell.*across};
    if (!judged.is_not_finite(i)) {
      others.insert(line);
    } else if (lines.insert(line).second) {
      firsts.push_back(cell);
    }
  }
  const bool whole = std::none_of(lines.begin(), lines.end(),
                                  [&](const auto& line) { return others.contains(line); });
  return whole ? firsts : std::vector<Cell>{};
}

Extent extent_of(const GradedAnswer& judged) {
  Extent extent;
  const Shape& shape = judged.step->value.shape();
  for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
    extent.filled += judged.filled(i);
    if (!judged.is_not_finite(i)) continue;
    if (extent.cells++ == 0) extent.first = shape.cell_at(static_cast<Index>(i));
    extent.nan += std::isnan(judged.theirs->data()[i]);
  }
  if (shape.cols > 1) extent.rows = whole_lines(judged, &Cell::row);
  if (shape.rows > 1) extent.cols = whole_lines(judged, &Cell::col);
  return extent;
}

/// "3 whole rows are infinite, first the row of "cat" in head 0."
std::string extent_text(const Extent& extent, const Step& step) {
  const char* what = extent.nan == extent.cells ? "NaN (not a number)"
                     : extent.nan == 0          ? "infinite"
                                                : "infinite or NaN (not a number)";
  const auto row_text = [&](const Cell& cell) {
    return line_text("row", name_of_row(step, cell), cell.row) + in_slice(step.value, cell);
  };
  const auto lines_text = [&](const char* noun, Index n, const std::string& where) {
    return n == 1 ? filled("1 whole {} is {}: {}.", noun, what, where)
                  : filled("{} whole {}s are {}, first {}.", n, noun, what, where);
  };
  if (extent.is_all()) return filled("All {} cells are {}.", extent.cells, what);
  if (!extent.rows.empty())
    return lines_text("row", std::ssize(extent.rows), row_text(extent.rows.front()));
  if (!extent.cols.empty()) {
    const Cell& cell = extent.cols.front();
    return lines_text(
        "column", std::ssize(extent.cols),
        line_text("column", name_of_col(step, cell), cell.col) + in_slice(step.value, cell));
  }
  return extent.cells == 1
             ? filled("1 cell is {}, in {}.", what, row_text(extent.first))
             : filled("{} cells are {}, first in {}.", extent.cells, what, row_text(extent.first));
}

/// The largest number of each type, in the order of Dtype.
constexpr double kLargest[] = {std::numeric_limits<double>::max(),
                               std::numeric_limits<float>::max(), 3.3895313892515355e38, 65504.0};

/// What softmax makes NaN of in a row of scores that were handed in; "" if that does not show it.
std::string cause_in(std::span<const double> scores, const char* row, std::optional<Dtype> dtype) {
  const double most = *std::max_element(scores.begin(), scores.end());
  if (most == -kInfinity) return filled("All scores of {} are −∞, so softmax divides 0 by 0.", row);
  const auto type = static_cast<std::size_t>(dtype.value_or(Dtype::Float16));
  if (!(most > std::log(kLargest[type])) || std::isinf(most)) return "";
  return filled(dtype ? "A score of {} makes e^x too large for {}: subtract the row maximum first."
                      : "A score of {} may make e^x too large for its number type: subtract the "
                        "row maximum first.",
                text_of(most), std::string(kDtypeNames[type]));
}

/// Whether all of them are −∞ at keys that a later step hides.
bool is_masked_early(const Case& known, const GradedAnswer& judged) {
  const Step& step = *judged.step;
  if (!step.info().is_pairwise() || step.info().role != StepRole::Plain) return false;
  const HiddenCells hidden(known.truth, *step.scope);
  const NumberSpan numbers = judged.theirs->data();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const bool hides =
        numbers[i] == -kInfinity && hidden(step.value.shape().cell_at(static_cast<Index>(i)));
    if (judged.is_not_finite(i) && !hides) return false;
  }
  return true;
}

/// What usually makes such numbers in a step like this.
std::string cause_text(const Case& known, const GradedAnswer& judged, const Extent& extent) {
  const Step& step = *judged.step;
  const bool any_nan = extent.nan > 0;
  if (step.operation->name == std::string_view("softmax") && any_nan) {
    const GradedAnswer* scores = known.find(step.inputs[0]);
    const bool there =
        scores != nullptr && scores->used() && scores->own.shape() == step.value.shape();
    const Cell& at = extent.first;
    const bool is_row_named = !extent.is_all() && (!extent.rows.empty() || extent.cols.empty());
    const std::string seen = there ? cause_in(scores->own.row(at.batch, at.head, at.row),
                                              is_row_named ? "that row" : "a row", known.dtype)
                                   : std::string();
    if (!seen.empty()) return seen;
    return "Softmax gives NaN where all scores of a row are −∞ (0/0), and where e^x overflows "
           "(∞/∞).";
  }
  if (step.info().role == StepRole::MaskedScores && any_nan)
    return "A mask multiplied by −∞ is NaN where it is 0: fill in −∞ where keys are hidden.";
  if (is_masked_early(known, judged))
    return "They are where the mask hides keys, but it is applied after this step: hand in the "
           "numbers before the mask.";
  if (!any_nan)
    return "Numbers become infinite where they are too large for their type (beyond 65504 in "
           "float16), or are divided by 0.";
  return "Sums and products are NaN where a number in them is NaN, where 0 is multiplied by ∞, or "
         "−∞ added to ∞.";
}

/// Whether it may begin earlier.
std::string origin_text(const Case& known, const GradedAnswer& judged) {
  std::vector<std::string> missing;
  bool finite = true;
  for (const std::string& id : judged.step->inputs) {
    const Step* input = known.truth.find(id);
    if (input == nullptr || input->is_given()) continue;
    const GradedAnswer* answer = known.find(id);
    if (answer == nullptr || !answer->theirs) {
      missing.push_back(id);
      continue;
    }
    finite = finite && std::all_of(answer->theirs->data().begin(), answer->theirs->data().end(),
                                   [](double x) { return std::isfinite(x) || x == -kInfinity; });
  }
  if (!missing.empty())
    return filled("Hand in {}, too, to see whether it begins there.", together(missing));
  return finite ? "The numbers that go into this step are finite." : "";
}

}  // namespace

std::string not_finite_text(const GradedAnswer& judged) {
  return extent_text(extent_of(judged), *judged.step);
}

Said not_finite(const Case& known, const GradedAnswer& judged) {
  if (judged.not_finite_cells() == 0) return {};
  const Extent extent = extent_of(judged);
  const bool is_named = !judged.report.findings.empty();
  const std::string origin =
      is_named || is_masked_early(known, judged) ? "" : origin_text(known, judged);
  return extent_text(extent, *judged.step) + " " + cause_text(known, judged, extent) +
         (origin.empty() ? "" : " " + origin);
}

}  // namespace attn
