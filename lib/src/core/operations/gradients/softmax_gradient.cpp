// A ∘ (G − rowsum(G ∘ A)): a score gains what its weight gains beyond the average.
#include <limits>

#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Whether a row was filled because no key was visible: no score has any effect on it.
bool is_filled(const Call& call, const Cell& cell) {
  return call.inputs.size() > 2 && largest_of(call[2].row(cell.batch, cell.head, cell.row)) ==
                                       -std::numeric_limits<double>::infinity();
}

Tensor evaluate_softmax_gradient(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      if (is_filled(call, {b, h, r, 0})) continue;
      const auto g = call[0].row(b, h, r), a = call[1].row(b, h, r);
      double average = 0.0;
      for (std::size_t c = 0; c < a.size(); ++c) average += a[c] == 0.0 ? 0.0 : g[c] * a[c];
      const auto row = y.row(b, h, r);
      for (std::size_t c = 0; c < a.size(); ++c)
        row[c] = a[c] == 0.0 ? 0.0 : a[c] * (g[c] - average);
    }
  });
  return y;
}

Expression derive_softmax_gradient(const Call& call, const Cell& cell) {
  Expression none = constant(0.0);
  if (is_filled(call, cell)) {
    none.reason = "no key is visible: no score changes this row";
    return none;
  }
  if (call[1].at(cell) == 0.0) {
    none.reason = "a weight of 0 does not change with its score";
    return none;
  }
  std::vector<Expression> terms;
  for (Index c = 0; c < call.shape.cols; ++c) {
    const Cell each{cell.batch, cell.head, cell.row, c};
    if (call[1].at(each) != 0.0)
      terms.push_back(product(leaf(call[0], 0, each), leaf(call[1], 1, each)));
  }
  return product(leaf(call[1], 1, cell),
                 sum({leaf(call[0], 0, cell), negative(sum(std::move(terms)))}));
}

}  // namespace

const Operation softmax_gradient{
    .name = "softmax_gradient",
    .formula = "{1} ∘ ({0} − rowsum({0} ∘ {1}))",
    .shape_rule = {2, 3, kCellRule, cells_meet},
    .evaluate = evaluate_softmax_gradient,
    .derive = derive_softmax_gradient,
    .gradient_why =
        "The weights of a row add up to 1, so what counts is how far the gradient of a weight is "
        "above the weighted average of its row; each row adds up to 0. A weight of 0 gets 0: e^−∞ "
        "stays 0."};

}  // namespace attn::ops
