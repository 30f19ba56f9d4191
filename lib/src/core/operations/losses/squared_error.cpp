// The mean of the squared differences between the output and its target, and what the output gets.
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

MaybeShape one_for_all(Shapes in, const Parameters&, const Shape&) {
  return in[0] == in[1] ? MaybeShape(Shape{{}, {}, 1, 1}) : std::nullopt;
}

MaybeShape like_output(Shapes in, const Parameters&, const Shape&) {
  return in[0] == Shape{{}, {}, 1, 1} && in[1] == in[2] ? MaybeShape(in[1]) : std::nullopt;
}

double count_of(const Tensor& x) { return static_cast<double>(x.data().size()); }

Tensor evaluate_squared_error(const Call& call) {
  double total = 0.0;
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      const auto output = call[0].row(b, h, r), target = call[1].row(b, h, r);
      for (std::size_t c = 0; c < output.size(); ++c)
        total += (output[c] - target[c]) * (output[c] - target[c]);
    }
  });
  return Tensor(call.shape, total / count_of(call[0]));
}

Expression difference(const Call& call, int output, const Cell& cell) {
  const auto at = static_cast<std::size_t>(output);
  return sum({leaf(call[at], output, cell), negative(leaf(call[at + 1], output + 1, cell))});
}

Expression derive_squared_error(const Call& call, const Cell&) {
  std::vector<Expression> squares;
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      for (Index c = 0; c < call[0].cols(); ++c)
        squares.push_back(square(difference(call, 0, {b, h, r, c})));
    }
  });
  return quotient(sum(std::move(squares)), constant(count_of(call[0])));
}

std::vector<Share> backward_squared_error(const Differentiated& step) {
  return {{0, &squared_error_gradient, {step.gradient, step.inputs[0], step.inputs[1]}}};
}

Tensor evaluate_squared_error_gradient(const Call& call) {
  const double up = call[0].at({0, 0, 0, 0}) * 2.0 / count_of(call[1]);
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto output = call[1].row(b, h, r), target = call[2].row(b, h, r);
      const auto to = y.row(b, h, r);
      for (std::size_t c = 0; c < to.size(); ++c) to[c] = up * (output[c] - target[c]);
    }
  });
  return y;
}

Expression derive_squared_error_gradient(const Call& call, const Cell& cell) {
  return quotient(
      product({leaf(call[0], 0, {0, 0, 0, 0}), constant(2.0), difference(call, 1, cell)}),
      constant(count_of(call[1])));
}

}  // namespace

const Operation squared_error{
    .name = "squared_error",
    .formula = "mean of ({0} − {1})²",
    .shape_rule = {2, 2, "The target has the shape of the output.", one_for_all},
    .evaluate = evaluate_squared_error,
    .derive = derive_squared_error,
    .backward = backward_squared_error};

const Operation squared_error_gradient{
    .name = "squared_error_gradient",
    .formula = "{0}·2·({1} − {2}) / n",
    .shape_rule = {3, 3, "The target has the shape of the output.", like_output},
    .evaluate = evaluate_squared_error_gradient,
    .derive = derive_squared_error_gradient,
    .gradient_why = "The further a number is from its target, the more it should change."};

}  // namespace attn::ops
