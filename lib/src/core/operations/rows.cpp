// Maximum, exponential, sum in eight parts, division; 0, 1/n or NaN for a row without a sum.
#include "core/operations/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/tensor/eigen.hpp"
#include "core/tensor/exponential.hpp"

namespace attn::ops {
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
  exponentials({&x, 1}, largest, {&x, 1});
  return x;
}

double largest_of(std::span<const double> numbers) {
  if (numbers.empty()) return kHidden;
  return Eigen::Map<const Eigen::ArrayXd>(numbers.data(), std::ssize(numbers))
      .maxCoeff<Eigen::PropagateNaN>();
}

double with_sink(double largest, double sink) { return largest < sink ? sink : largest; }

bool is_sink(const Shape& sink, const Shape& scores) {
  return sink.rows == 1 && sink.cols == 1 && !sink.batch && spreads_to(sink, scores);
}

double sum_of(std::span<const double> numbers) {
  constexpr std::size_t kParts = 8, kFew = 64;
  std::array<double, kParts> parts{};
  const std::size_t n = numbers.size() < kFew ? 0 : numbers.size() / kParts * kParts;
  for (std::size_t i = 0; i < n; i += kParts) {
    for (std::size_t part = 0; part < kParts; ++part) parts[part] += numbers[i + part];
  }
  double total = std::accumulate(parts.begin(), parts.end(), 0.0);
  return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(n), numbers.end(), total);
}

void divide(std::span<const double> numbers, double sum, const Parameters& p,
            std::span<double> out) {
  if (sum == 0.0) {
    std::fill(out.begin(), out.end(), empty_value(p, std::ssize(out)));
  } else {
    const auto n = std::ssize(out);
    Eigen::Map<Eigen::ArrayXd>(out.data(), n) =
        Eigen::Map<const Eigen::ArrayXd>(numbers.data(), n) / sum;
  }
}

std::vector<Expression> row_leaves(const Tensor& x, const Cell& cell) {
  std::vector<Expression> leaves;
  leaves.reserve(static_cast<std::size_t>(x.cols()));
  for (Index c = 0; c < x.cols(); ++c)
    leaves.push_back(leaf(x, 0, {cell.batch, cell.head, cell.row, c}));
  return leaves;
}

}  // namespace attn::ops
