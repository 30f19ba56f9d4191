// Counts and measures the numbers of a step: their range, and the entropy of weights.
#include "render/story/steps/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "core/trace/hidden_cells.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// How widely one query looks, from its row of weights.
struct RowEntropy {
  double sum = 0.0;    ///< of the weights
  double bits = 0.0;   ///< Σ −p·log₂ p of the weights as shares of their sum
  double most = 0.0;   ///< if all visible keys had the same weight
  bool empty = false;  ///< no weight at all
};

RowEntropy row_entropy(const HiddenCells& hidden, const Step& step, const GridChoice& grid,
                       Index row) {
  const Tensor& weights = step.value;
  RowEntropy result;
  double& sum = result.sum;
  Index visible = 0;
  for (Index c = 0; c < weights.cols(); ++c) {
    const Cell cell{grid.batch, grid.head, row, c};
    sum += weights.at(cell);
    visible += weights.at(cell) == 0.0 && hidden(cell) ? 0 : 1;
  }
  result.empty = !(sum > 0.0);
  if (result.empty) return result;
  for (Index c = 0; c < weights.cols(); ++c) {
    const double p = weights.at({grid.batch, grid.head, row, c}) / sum;
    if (p > 0.0) result.bits -= p * std::log2(p);
  }
  result.most = std::log2(static_cast<double>(std::max<Index>(1, visible)));
  return result;
}

}  // namespace

void Statistics::count(double x) {
  if (std::isnan(x)) {
    ++not_numbers;
  } else if (std::isinf(x)) {
    ++infinite;
  } else {
    least = std::min(least, x);
    most = std::max(most, x);
    sum += x;
    ++finite;
  }
}

std::string Statistics::text(double x, int precision, Notation notation) const {
  if (finite == 0) return "-";
  return format_number(x, {precision, choose_format(std::span(&x, 1), 0, notation).scientific});
}

std::string mean_text(const HeadEntropy& head, double mean, int decimals, Notation notation) {
  return head.rows == 0 ? "-" : format_number(mean, {decimals, notation == Notation::Scientific});
}

std::vector<HeadEntropy> head_entropies(const Trace& trace, const Step& weights, const View& view) {
  constexpr double kRounding = 0.02;  // of a sum, in the narrowest type
  const HiddenCells hidden(trace, *weights.scope);
  std::vector<HeadEntropy> all;
  for (const GridChoice& grid : chosen_grids(weights, view, false)) {
    HeadEntropy head{.caption = grid.caption};
    for (Index r = 0; r < weights.value.rows(); ++r) {
      if (grid.row && r != *grid.row) continue;
      const RowEntropy row = row_entropy(hidden, weights, grid, r);
      if (row.empty) continue;
      head.divided |= std::abs(row.sum - 1.0) > kRounding;
      head.bits += row.bits;
      head.most += row.most;
      ++head.rows;
    }
    const auto rows = static_cast<double>(std::max<Index>(1, head.rows));
    head.bits /= rows;
    head.most /= rows;
    all.push_back(head);
  }
  return all;
}

}  // namespace attn
