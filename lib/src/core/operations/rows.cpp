// What the operations inside softmax share: rows without a visible key, and sums over a row.
#include "core/operations/rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attn::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

double empty_value(const Parameters& p, Index n) {
  const std::string& policy = p.word("empty_row");
  if (policy == "nan") return std::numeric_limits<double>::quiet_NaN();
  return policy == "uniform" ? 1.0 / static_cast<double>(n) : 0.0;
}

bool fills_rows(const Parameters& p) {
  return p.word("empty_row") == "uniform" || p.word("empty_row") == "nan";
}

Expression empty_weight(const Parameters& p, Index n) {
  Expression weight = constant(empty_value(p, n));
  const std::string keys = std::to_string(n);
  if (weight.value > 0.0)
    weight.reason = "no key is visible: each of the " + keys + " gets 1/" + keys;
  if (std::isnan(weight.value)) weight.reason = "no key is visible: 0/0 is not a number";
  return weight;
}

double shifted_exp(double x, double largest) {
  return x == -kInfinity ? 0.0 : std::exp(x - largest);
}

double largest_of(std::span<const double> numbers) {
  double largest = -kInfinity;
  for (const double x : numbers) {
    if (std::isnan(x)) return x;
    largest = std::max(largest, x);
  }
  return largest;
}

std::vector<Expression> row_leaves(const Tensor& x, const Cell& cell) {
  std::vector<Expression> leaves;
  for (Index c = 0; c < x.cols(); ++c)
    leaves.push_back(leaf(x, 0, {cell.batch, cell.head, cell.row, c}));
  return leaves;
}

}  // namespace attn::ops
