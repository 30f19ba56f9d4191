// e^x / Σ e^x over each row.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/dtype.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Softmax of some numbers, in place.
void softmax_in_place(std::span<double> numbers, const Parameters& p) {
  const double largest = largest_of(numbers);
  if (largest == -kInfinity) {
    std::fill(numbers.begin(), numbers.end(), empty_value(p, std::ssize(numbers)));
    return;
  }
  double total = 0.0;
  for (double& x : numbers) total += x = shifted_exp(x, largest);
  for (double& x : numbers) x /= total;
}

/// The same by the operations of softmax in separate steps, each result rounded: in a narrow type
/// the order of roundings matters.
Tensor in_steps(const Call& call, Dtype dtype) {
  const Shape column = column_of(call.shape);
  const Tensor m = rounded(row_max.evaluate({call.inputs, {}, column}), dtype);
  const Tensor e =
      rounded(exp_shifted.evaluate({std::array{call.inputs[0], &m}, {}, call.shape}), dtype);
  const Tensor r = rounded(row_sum.evaluate({std::array{&e}, {}, column}), dtype);
  return divide_rows.evaluate({std::array{&e, &r}, call.parameters, call.shape});
}

Tensor evaluate(const Call& call) {
  const Parameters& p = call.parameters;
  const Dtype dtype = find_dtype(p.word("dtype")).value_or(Dtype::Float64);
  if (dtype != Dtype::Float64) return in_steps(call, dtype);
  Tensor y = call[0];
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) softmax_in_place(y.row(b, h, r), p);
  });
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  const Tensor& x = call[0];
  std::vector<Expression> visible = row_leaves(x, cell);
  std::erase_if(visible, [](const Expression& score) { return score.value == -kInfinity; });
  if (visible.empty()) return empty_weight(call.parameters, x.cols());
  if (x.at(cell) == -kInfinity) return constant(0.0);

  // Far from 0 the exponentials overflow on paper too: subtract the largest, as the machine does.
  const double largest = largest_of(x.row(cell.batch, cell.head, cell.row));
  const bool shift = std::abs(largest) > 20.0;
  const auto term = [&](Expression score) {
    return exponential(shift ? sum({std::move(score), constant(-largest)}) : std::move(score));
  };
  std::vector<Expression> terms;
  for (Expression& score : visible) terms.push_back(term(std::move(score)));
  return quotient(term(leaf(x, 0, cell)), sum(std::move(terms)));
}

constexpr ParameterField kFields[] = {
    kEmptyRowField,
    {.name = "dtype",
     .kind = ParameterField::Kind::Word,
     .summary = "the number type that its intermediate results are rounded to",
     .words = kDtypeNames}};

std::vector<Share> backward(const Differentiated& step) {
  std::vector<std::string> inputs{step.gradient, step.id};
  if (fills_rows(step.parameters)) inputs.push_back(step.inputs[0]);
  return {{0, &softmax_gradient, std::move(inputs)}};
}

}  // namespace

const Operation softmax{.name = "softmax",
                        .formula = {"softmax({0})", "\\operatorname{softmax}({0})"},
                        .shape_rule = kLikeInput,
                        .evaluate = evaluate,
                        .derive = derive,
                        .fields = kFields,
                        .sums_over_keys = always,
                        .backward = backward};

}  // namespace attn::ops
