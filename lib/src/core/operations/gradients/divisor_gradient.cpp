// −rowsum(G ∘ Y) / r: what the divisor of each row gets, where Y = X / r.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_divisor_gradient(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const Cell row{b, h, r, 0};
      if (call[2].at(row) == 0.0) continue;
      const auto g = call[0].row(b, h, r), shares = call[1].row(b, h, r);
      double total = 0.0;
      for (std::size_t c = 0; c < g.size(); ++c) total += g[c] * shares[c];
      y.at(row) = -total / call[2].at(row);
    }
  });
  return y;
}

Expression derive_divisor_gradient(const Call& call, const Cell& cell) {
  if (call[2].at(cell) == 0.0) return constant(0.0);
  std::vector<Expression> terms;
  for (Index c = 0; c < call[0].cols(); ++c) {
    const Cell each{cell.batch, cell.head, cell.row, c};
    terms.push_back(product(leaf(call[0], 0, each), leaf(call[1], 1, each)));
  }
  return quotient(negative(sum(std::move(terms))), leaf(call[2], 2, cell));
}

MaybeShape shape_of_divisor_gradient(Shapes in, const Parameters&, const Shape&) {
  const Shape column = column_of(in[0]);
  return in[1] == in[0] && in[2] == column ? MaybeShape(column) : std::nullopt;
}

}  // namespace

const Operation divisor_gradient{
    .name = "divisor_gradient",
    .formula = "−rowsum({0} ∘ {1}) / {2}",
    .shape_rule = {3, 3, "There is one divisor for each row.", shape_of_divisor_gradient},
    .evaluate = evaluate_divisor_gradient,
    .derive = derive_divisor_gradient,
    .gradient_why = "A larger divisor makes all numbers of its row smaller."};

}  // namespace attn::ops
