#include <array>
#include <cmath>
#include <limits>

#include "attn/eigen.hpp"
#include "core/operations/op_functions.hpp"
#include "core/tensor/dtype.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What stands in a row with nothing to attend to; `n` is its length.
double empty_value(EmptyRow policy, Index n) {
  switch (policy) {
    case EmptyRow::Nan:
      return std::numeric_limits<double>::quiet_NaN();
    case EmptyRow::Uniform:
      return 1.0 / static_cast<double>(n);
    case EmptyRow::Zero:
    case EmptyRow::Error:
      break;
  }
  return 0.0;
}

/// e^(x − largest), exactly 0 for a hidden score. std::exp, not Eigen's: that one is not 0 at −∞.
double shifted_exp(double x, double largest) {
  return x == -kInfinity ? 0.0 : std::exp(x - largest);
}

/// Softmax of a row, a column or a whole matrix, in place.
template <typename Numbers>
void softmax_in_place(Numbers numbers, EmptyRow policy) {
  const double largest = numbers.template maxCoeff<Eigen::PropagateNaN>();
  if (largest == -kInfinity) {
    numbers.setConstant(empty_value(policy, numbers.size()));
    return;
  }
  double total = 0.0;
  for (Index r = 0; r < numbers.rows(); ++r) {
    for (Index c = 0; c < numbers.cols(); ++c) {
      numbers(r, c) = shifted_exp(numbers(r, c), largest);
      total += numbers(r, c);
    }
  }
  numbers.array() /= total;
}

/// The cells that share one sum with `cell`: its row, its column, or all of its matrix.
std::vector<Cell> companions(const Tensor& x, SoftmaxOver over, const Cell& cell) {
  std::vector<Cell> cells;
  for (Index r = 0; r < x.rows(); ++r) {
    if (over == SoftmaxOver::Rows && r != cell.row) continue;
    for (Index c = 0; c < x.cols(); ++c) {
      if (over == SoftmaxOver::Columns && c != cell.col) continue;
      cells.push_back({cell.batch, cell.head, r, c});
    }
  }
  return cells;
}

/// The same by the operations of the opened-up softmax, each result rounded: in a narrow type the
/// order of roundings shows.
Tensor softmax_in_steps(Inputs in, const Parameters& p) {
  const Tensor m = rounded(row_max(in, p), p.dtype);
  const Tensor e = rounded(exp_shifted(std::array{in[0], &m}, p), p.dtype);
  const Tensor r = rounded(row_sum(std::array{&e}, p), p.dtype);
  return divide_rows(std::array{&e, &r}, p);
}

}  // namespace

Tensor softmax(Inputs in, const Parameters& p) {
  if (p.dtype != Dtype::Float64 && p.over == SoftmaxOver::Rows) return softmax_in_steps(in, p);
  Tensor y = *in[0];
  for_each_slice(y, [&](Index b, Index h) {
    MatrixView scores = view(y, b, h);
    if (p.over == SoftmaxOver::WholeMatrix)
      softmax_in_place(scores.block(0, 0, y.rows(), y.cols()), p.empty_row);
    if (p.over == SoftmaxOver::Columns)
      for (Index c = 0; c < y.cols(); ++c) softmax_in_place(scores.col(c), p.empty_row);
    if (p.over == SoftmaxOver::Rows)
      for (Index r = 0; r < y.rows(); ++r) softmax_in_place(scores.row(r), p.empty_row);
  });
  return y;
}

Expression derive_softmax(Inputs in, const Parameters& p, const Cell& cell) {
  const Tensor& x = *in[0];
  std::vector<Expression> visible;
  double largest = -kInfinity;
  const std::vector<Cell> cells = companions(x, p.over, cell);
  for (const Cell& each : cells) {
    if (x.at(each) == -kInfinity) continue;
    visible.push_back(leaf(x, 0, each));
    largest = std::max(largest, x.at(each));
  }
  if (visible.empty()) return constant(empty_value(p.empty_row, static_cast<Index>(cells.size())));
  if (x.at(cell) == -kInfinity) return constant(0.0);

  // Far from 0 the exponentials overflow on paper too: subtract the largest, as the machine does.
  const bool shift = std::abs(largest) > 20.0;
  const auto term = [&](Expression score) {
    return exponential(shift ? sum({std::move(score), constant(-largest)}) : std::move(score));
  };
  std::vector<Expression> terms;
  for (Expression& score : visible) terms.push_back(term(std::move(score)));
  return quotient(term(leaf(x, 0, cell)), sum(std::move(terms)));
}

Tensor row_max(Inputs in, const Parameters&) {
  const Tensor& x = *in[0];
  Tensor y(Shape{x.shape().batch, x.shape().heads, x.rows(), 1});
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < x.rows(); ++r) {
      view(y, b, h)(r, 0) = view(x, b, h).row(r).maxCoeff<Eigen::PropagateNaN>();
    }
  });
  return y;
}

Expression derive_row_max(Inputs in, const Parameters&, const Cell& cell) {
  std::vector<Expression> parts;
  for (const Cell& each : companions(*in[0], SoftmaxOver::Rows, cell)) {
    parts.push_back(leaf(*in[0], 0, each));
  }
  return largest(std::move(parts));
}

Tensor exp_shifted(Inputs in, const Parameters&) {
  Tensor y = *in[0];
  for_each_slice(y, [&](Index b, Index h) {
    MatrixView scores = view(y, b, h);
    for (Index r = 0; r < y.rows(); ++r) {
      const double row_maximum = view(*in[1], b, h)(r, 0);
      for (Index c = 0; c < y.cols(); ++c) scores(r, c) = shifted_exp(scores(r, c), row_maximum);
    }
  });
  return y;
}

Expression derive_exp_shifted(Inputs in, const Parameters&, const Cell& cell) {
  if (in[0]->at(cell) == -kInfinity) return constant(0.0);
  const Cell row{cell.batch, cell.head, cell.row, 0};
  return exponential(sum({leaf(*in[0], 0, cell), negative(leaf(*in[1], 1, row))}));
}

Tensor row_sum(Inputs in, const Parameters&) {
  const Tensor& x = *in[0];
  Tensor y(Shape{x.shape().batch, x.shape().heads, x.rows(), 1});
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < x.rows(); ++r) {
      for (Index c = 0; c < x.cols(); ++c) view(y, b, h)(r, 0) += view(x, b, h)(r, c);
    }
  });
  return y;
}

Expression derive_row_sum(Inputs in, const Parameters&, const Cell& cell) {
  std::vector<Expression> parts;
  for (const Cell& each : companions(*in[0], SoftmaxOver::Rows, cell)) {
    parts.push_back(leaf(*in[0], 0, each));
  }
  return sum(std::move(parts));
}

Tensor divide_rows(Inputs in, const Parameters& p) {
  Tensor y = *in[0];
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const double divisor = view(*in[1], b, h)(r, 0);
      if (divisor == 0.0) {
        view(y, b, h).row(r).setConstant(empty_value(p.empty_row, y.cols()));
      } else {
        view(y, b, h).row(r) /= divisor;
      }
    }
  });
  return y;
}

Expression derive_divide_rows(Inputs in, const Parameters& p, const Cell& cell) {
  const Cell row{cell.batch, cell.head, cell.row, 0};
  if (in[1]->at(row) == 0.0) return constant(empty_value(p.empty_row, in[0]->cols()));
  return quotient(leaf(*in[0], 0, cell), leaf(*in[1], 1, row));
}

Tensor renormalize(Inputs in, const Parameters& p) {
  const Tensor sums = row_sum(in, p);
  return divide_rows(std::array{in[0], &sums}, p);
}

Expression derive_renormalize(Inputs in, const Parameters& p, const Cell& cell) {
  const Expression total = derive_row_sum(in, p, {cell.batch, cell.head, cell.row, 0});
  if (total.value == 0.0) return constant(empty_value(p.empty_row, in[0]->cols()));
  return quotient(leaf(*in[0], 0, cell), total);
}

}  // namespace attn::ops
