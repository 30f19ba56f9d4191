// −ln of the probability that softmax assigns to the right answer of each row, and its mean.
#include <algorithm>
#include <cmath>

#include "core/operations/losses/labels.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// ln Σ e^x − x_right, with the largest x subtracted from all, so that nothing overflows.
double loss_of(std::span<const double> row, Index right) {
  const double largest = largest_of(row);
  double total = 0.0;
  for (const double x : row) total += shifted_exp(x, largest);
  return std::log(total) + (largest - row[static_cast<std::size_t>(right)]);
}

Tensor evaluate_cross_entropy(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const Index right = label_of(call.parameters, call.shape, b, r);
      if (right >= 0) y.at({b, h, r, 0}) = loss_of(call[0].row(b, h, r), right);
    }
  });
  return y;
}

Expression derive_cross_entropy(const Call& call, const Cell& cell) {
  const Index right = label_of(call.parameters, call.shape, cell.batch, cell.row);
  if (right < 0) {
    Expression none = constant(0.0);
    none.reason = "this row has no label";
    return none;
  }
  const double largest = largest_of(call[0].row(cell.batch, cell.head, cell.row));
  std::vector<Expression> terms;
  for (Expression& x : row_leaves(call[0], cell))
    terms.push_back(exponential(sum({std::move(x), constant(-largest)})));
  const Expression chosen = leaf(call[0], 0, {cell.batch, cell.head, cell.row, right});
  return sum({logarithm(sum(std::move(terms))), constant(largest), negative(chosen)});
}

MaybeShape one_loss_per_row(Shapes in, const Parameters& p, const Shape&) {
  return labels_fit(p, in[0]) ? MaybeShape(column_of(in[0])) : std::nullopt;
}

Tensor evaluate_mean_loss(const Call& call) {
  double total = 0.0;
  for (const double loss : call[0].data()) total += loss;
  const double count = number_of_labels(call.parameters);
  return Tensor(call.shape, count == 0.0 ? 0.0 : total / count);
}

Expression derive_mean_loss(const Call& call, const Cell&) {
  const double count = number_of_labels(call.parameters);
  if (count == 0.0) return constant(0.0);
  std::vector<Expression> losses;
  for (Index b = 0; b < call[0].batch(); ++b) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      if (label_of(call.parameters, call[0].shape(), b, r) < 0) continue;
      losses.push_back(leaf(call[0], 0, {b, 0, r, 0}));
    }
  }
  return quotient(sum(std::move(losses)), constant(count));
}

MaybeShape one_number(Shapes in, const Parameters& p, const Shape&) {
  const bool fits = in[0].cols == 1 && !in[0].heads &&
                    std::ssize(p.counts("labels")) == in[0].batch.value_or(1) * in[0].rows;
  return fits ? MaybeShape(Shape{{}, {}, 1, 1}) : std::nullopt;
}

constexpr ParameterField kCrossEntropyFields[] = {kLabelsField};

std::vector<Share> backward_cross_entropy(const Differentiated& step) {
  return {{0, &cross_entropy_gradient, {step.gradient, step.inputs[0]}, step.parameters}};
}

std::vector<Share> backward_of_mean(const Differentiated& step) {
  return {{0, &labelled_mean_gradient, {step.gradient}, step.parameters}};
}

}  // namespace

double number_of_labels(const Parameters& p) {
  const std::vector<Index>& labels = p.counts("labels");
  const auto is_label = [](Index label) { return label >= 0; };
  return static_cast<double>(std::count_if(labels.begin(), labels.end(), is_label));
}

bool labels_fit(const Parameters& p, const Shape& logits) {
  const std::vector<Index>& labels = p.counts("labels");
  const bool known =
      std::all_of(labels.begin(), labels.end(), [&](Index label) { return label < logits.cols; });
  return known && !logits.heads && std::ssize(labels) == logits.batch.value_or(1) * logits.rows;
}

const Operation cross_entropy{
    .name = "cross_entropy",
    .formula = "−ln softmax({0}) at the label",
    .shape_rule = {1, 1, "Every row has a label, and labels are columns.", one_loss_per_row},
    .evaluate = evaluate_cross_entropy,
    .derive = derive_cross_entropy,
    .fields = kCrossEntropyFields,
    .backward = backward_cross_entropy};

const Operation labelled_mean{
    .name = "labelled_mean",
    .formula = "mean of {0} over the labelled rows",
    .shape_rule = {1, 1, "There is one number for each label.", one_number},
    .evaluate = evaluate_mean_loss,
    .derive = derive_mean_loss,
    .fields = kCrossEntropyFields,
    .backward = backward_of_mean};

}  // namespace attn::ops
