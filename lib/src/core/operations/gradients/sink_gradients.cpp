// What a sink gets: of softmax −(1 − sum of A)·(sum of G ∘ A), summed over all rows that share it.
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// The sum of f(b, h, r) over all rows of `x` that the sink of a cell serves.
template <typename F>
void for_each_served(const Tensor& x, const Shape& sinks, const Cell& cell, F f) {
  for_each_slice(x, [&](Index b, Index h) {
    if (sinks.heads && h != cell.head) return;
    for (Index r = 0; r < x.rows(); ++r) f(b, h, r);
  });
}

/// A tensor with `value(cell)` in each of its cells: one for each head, or one for all.
template <typename F>
Tensor for_each_sink(const Shape& shape, F value) {
  Tensor y(shape);
  for (Index h = 0; h < y.heads(); ++h) y.at({0, h, 0, 0}) = value({0, h, 0, 0});
  return y;
}

Tensor evaluate_sink_gradient(const Call& call) {
  return for_each_sink(call.shape, [&](const Cell& cell) {
    double total = 0.0;
    for_each_served(call[1], call.shape, cell, [&](Index b, Index h, Index r) {
      const auto g = call[0].row(b, h, r), a = call[1].row(b, h, r);
      double mixed = 0.0;
      for (std::size_t c = 0; c < a.size(); ++c) mixed += a[c] == 0.0 ? 0.0 : g[c] * a[c];
      total -= (1.0 - sum_of(a)) * mixed;
    });
    return total;
  });
}

Expression derive_sink_gradient(const Call& call, const Cell& cell) {
  std::vector<Expression> rows;
  for_each_served(call[1], call.shape, cell, [&](Index b, Index h, Index r) {
    std::vector<Expression> rest{constant(1.0)}, mixed;
    for (Index c = 0; c < call[1].cols(); ++c) {
      const Cell at{b, h, r, c};
      if (call[1].at(at) == 0.0) continue;
      rest.push_back(negative(leaf(call[1], 1, at)));
      mixed.push_back(product(leaf(call[0], 0, at), leaf(call[1], 1, at)));
    }
    if (!mixed.empty())
      rows.push_back(negative(product(sum(std::move(rest)), sum(std::move(mixed)))));
  });
  return rows.empty() ? constant(0.0) : sum(std::move(rows));
}

MaybeShape sink_gradient_shape(Shapes in, const Parameters&, const Shape& own) {
  return in[0] == in[1] && is_sink(own, in[0]) ? MaybeShape(own) : std::nullopt;
}

Tensor evaluate_exp_sink_gradient(const Call& call) {
  return for_each_sink(call.shape, [&](const Cell& cell) {
    double total = 0.0;
    for_each_served(call[1], call.shape, cell, [&](Index b, Index h, Index r) {
      total += call[0].at({b, h, r, 0}) * call[1].at({b, h, r, 0});
    });
    return total;
  });
}

Expression derive_exp_sink_gradient(const Call& call, const Cell& cell) {
  std::vector<Expression> rows;
  for_each_served(call[1], call.shape, cell, [&](Index b, Index h, Index r) {
    const Cell at{b, h, r, 0};
    rows.push_back(product(leaf(call[0], 0, at), leaf(call[1], 1, at)));
  });
  return sum(std::move(rows));
}

constexpr const char* kSinkGradientRule = "The result has one number, or one for each head.";

}  // namespace

const Operation sink_gradient{
    .name = "sink_gradient",
    .formula = "−sum of (1 − rowsum({1})) ∘ rowsum({0} ∘ {1})",
    .shape_rule = {2, 2, kSinkGradientRule, sink_gradient_shape},
    .evaluate = evaluate_sink_gradient,
    .derive = derive_sink_gradient,
    .gradient_why = "What the sink gains, the weights of its rows lose, each in proportion."};

const Operation exp_sink_gradient{
    .name = "exp_sink_gradient",
    .formula = "sum of {0} ∘ {1}",
    .shape_rule = {2, 2, kSinkGradientRule, sink_gradient_shape},
    .evaluate = evaluate_exp_sink_gradient,
    .derive = derive_exp_sink_gradient,
    .gradient_why = "The exponential changes as fast as it is large, and every row has the sink."};

}  // namespace attn::ops
