// e^(x − row maximum): positive numbers that cannot overflow.
#include <limits>

#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  return by_rows(call[0], call[1], [](std::span<double> row, double largest) {
    for (double& x : row) x = shifted_exp(x, largest);
  });
}

Expression derive(const Call& call, const Cell& cell) {
  if (call[0].at(cell) == -std::numeric_limits<double>::infinity()) return constant(0.0);
  const Cell row{cell.batch, cell.head, cell.row, 0};
  return exponential(sum({leaf(call[0], 0, cell), negative(leaf(call[1], 1, row))}));
}

std::vector<Share> backward(const Differentiated& step) {
  // The row maximum is a constant: softmax is the same whatever is subtracted.
  return {{0, &multiply_elements, {step.gradient, step.id}}};
}

}  // namespace

const Operation exp_shifted{.name = "exp_shifted",
                            .formula = {"e^({0} − {1})", "e^{{0} - {1}}"},
                            .shape_rule = kByRows,
                            .evaluate = evaluate,
                            .derive = derive,
                            .backward = backward};

}  // namespace attn::ops
