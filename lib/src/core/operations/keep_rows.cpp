// Rows set to zero where a column has 0: queries that are padding.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  return by_rows(call[0], call[1], [](std::span<double> row, double kept) {
    if (kept == 0.0) std::fill(row.begin(), row.end(), 0.0);
  });
}

Expression derive(const Call& call, const Cell& cell) {
  const bool kept = call[1].at({cell.batch, cell.head, cell.row, 0}) != 0.0;
  return kept ? leaf(call[0], 0, cell) : constant(0.0);
}

std::vector<Share> backward(const Differentiated& step) {
  return {{0, &keep_rows, {step.gradient, step.inputs[1]}}};
}

}  // namespace

const Operation keep_rows{.name = "keep_rows",
                          .formula = {"{0}, padded queries zero", "{0} \\odot {1}"},
                          .shape_rule = kByRows,
                          .evaluate = evaluate,
                          .derive = derive,
                          .backward = backward,
                          .gradient_why = "Padded queries have no effect."};

}  // namespace attn::ops
