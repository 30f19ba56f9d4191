// Weights without softmax: scores divided by their sum, or the sigmoid of each.
// Hidden scores, −∞, get 0.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

void write_sum_shares(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto scores = call[0].row(r);
    const auto row = call.result.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = scores[c] == kHidden ? 0.0 : scores[c];
    divide(row, sum_of(row), call.parameters, row);
  }
}

Expression derive_sum_shares(const Call& call, const Cell& cell) {
  std::vector<Expression> visible = row_leaves(call[0], cell);
  std::erase_if(visible, [](const Expression& score) { return score.value == kHidden; });
  Expression total = sum(std::move(visible));
  if (total.value == 0.0) return empty_weight(call.parameters, call[0].cols());
  if (call[0].at(cell) == kHidden) return constant(0.0);
  return quotient(leaf(call[0], 0, cell), std::move(total));
}

std::vector<Share> backward_sum_shares(const Differentiated& step) {
  return {{0, &renormalize_gradient, {step.gradient, step.id, step.inputs[0]}}};
}

constexpr ParameterField kSumSharesFields[] = {kEmptyRowField};

void write_sigmoid_weights(const RowsCall& call) {
  write_cells(call, [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
}

Expression derive_sigmoid_weights(const Call& call, const Cell& cell) {
  if (call[0].at(cell) == kHidden) return constant(0.0);
  return quotient(constant(1.0),
                  sum({constant(1.0), exponential(negative(leaf(call[0], 0, cell)))}));
}

std::vector<Share> backward_sigmoid_weights(const Differentiated& step) {
  return {{0, &sigmoid_weights_gradient, {step.gradient, step.id}}};
}

}  // namespace

const Operation sum_shares{
    .name = "sum_shares",
    .formula = "{0} / row sums",
    .shape_rule = kLikeInput,
    .write_rows = write_sum_shares,
    .derive = derive_sum_shares,
    .fields = kSumSharesFields,
    .sums_over_keys = always,
    .why = "Scores divided by their sum add up to 1, but only e^x would make them all positive.",
    .backward = backward_sum_shares};

// Ramapuram et al. 2024.
const Operation sigmoid_weights{
    .name = "sigmoid_weights",
    .formula = "1 / (1 + e^−{0})",
    .shape_rule = kLikeInput,
    .write_rows = write_sigmoid_weights,
    .derive = derive_sigmoid_weights,
    .why = "Each score becomes a weight from 0 to 1 by itself: a row need not add up to 1.",
    .backward = backward_sigmoid_weights};

namespace {

Tensor evaluate_sigmoid_weights_gradient(const Call& call) {
  return by_cells(call[0], call[1],
                  [](double g, double y) { return y == 0.0 ? 0.0 : g * y * (1.0 - y); });
}

Expression derive_sigmoid_weights_gradient(const Call& call, const Cell& cell) {
  if (call[1].at(cell) == 0.0) {
    Expression none = constant(0.0);
    none.reason = "a weight of 0 does not change with its score";
    return none;
  }
  const Expression y = leaf(call[1], 1, cell);
  return product({leaf(call[0], 0, cell), y, sum({constant(1.0), negative(y)})});
}

}  // namespace

const Operation sigmoid_weights_gradient{
    .name = "sigmoid_weights_gradient",
    .formula = "{0} ∘ {1} ∘ (1 − {1})",
    .shape_rule = kByCells,
    .evaluate = evaluate_sigmoid_weights_gradient,
    .derive = derive_sigmoid_weights_gradient,
    .gradient_why = "The sigmoid is flat near 0 and 1, and steepest in between."};

}  // namespace attn::ops
