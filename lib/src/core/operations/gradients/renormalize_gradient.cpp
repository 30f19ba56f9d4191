// (G − rowsum(G ∘ Y)) / row sums of X, where Y = X / row sums.
#include <numeric>

#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_renormalize_gradient(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto g = call[0].row(b, h, r), shares = call[1].row(b, h, r), x = call[2].row(b, h, r);
      double total = 0.0;
      for (const double each : x) total += each == kHidden ? 0.0 : each;
      if (total == 0.0) continue;
      const double average = std::inner_product(g.begin(), g.end(), shares.begin(), 0.0);
      const auto row = y.row(b, h, r);
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = x[c] == kHidden ? 0.0 : (g[c] - average) / total;
    }
  });
  return y;
}

Expression derive_renormalize_gradient(const Call& call, const Cell& cell) {
  Expression none = constant(0.0);
  if (call[2].at(cell) == kHidden) {
    none.reason = "a hidden key has no share";
    return none;
  }
  std::vector<Expression> terms, total;
  for (Index c = 0; c < call.shape.cols; ++c) {
    const Cell each{cell.batch, cell.head, cell.row, c};
    terms.push_back(product(leaf(call[0], 0, each), leaf(call[1], 1, each)));
    if (call[2].at(each) != kHidden) total.push_back(leaf(call[2], 2, each));
  }
  Expression divisor = sum(std::move(total));
  if (divisor.value == 0.0) {
    none.reason = "no key is visible: nothing changes this row";
    return none;
  }
  return quotient(sum({leaf(call[0], 0, cell), negative(sum(std::move(terms)))}),
                  std::move(divisor));
}

}  // namespace

const Operation renormalize_gradient{
    .name = "renormalize_gradient",
    .formula = "({0} − rowsum({0} ∘ {1})) / row sums of {2}",
    .shape_rule = {3, 3, kCellRule, cells_meet},
    .evaluate = evaluate_renormalize_gradient,
    .derive = derive_renormalize_gradient,
    .gradient_why =
        "The rows add up to 1 again, so what counts is how far a gradient is above the weighted "
        "average of its row."};

}  // namespace attn::ops
