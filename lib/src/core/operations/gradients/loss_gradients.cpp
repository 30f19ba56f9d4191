// What the logits get: probabilities minus 1 at the right word; and what each loss gets of a mean.
#include <algorithm>

#include "core/operations/losses/labels.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/rows.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Expression no_label() {
  Expression none = constant(0.0);
  none.reason = "this row has no label";
  return none;
}

Tensor evaluate_loss_gradients(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const Index right = label_of(call.parameters, call.shape, b, r);
      if (right < 0) continue;
      const auto x = call[1].row(b, h, r);
      const auto row = y.row(b, h, r);
      const double largest = largest_of(x), up = call[0].at({b, h, r, 0});
      double total = 0.0;
      for (std::size_t c = 0; c < row.size(); ++c) total += row[c] = shifted_exp(x[c], largest);
      for (double& p : row) p = up * (p / total);
      row[static_cast<std::size_t>(right)] -= up;
    }
  });
  return y;
}

Expression derive_loss_gradients(const Call& call, const Cell& cell) {
  const Index right = label_of(call.parameters, call.shape, cell.batch, cell.row);
  if (right < 0) return no_label();
  const double largest = largest_of(call[1].row(cell.batch, cell.head, cell.row));
  const auto term = [&](Index c) {
    return exponential(
        sum({leaf(call[1], 1, {cell.batch, cell.head, cell.row, c}), constant(-largest)}));
  };
  std::vector<Expression> terms;
  for (Index c = 0; c < call.shape.cols; ++c) terms.push_back(term(c));
  Expression p = quotient(term(cell.col), sum(std::move(terms)));
  if (cell.col == right) p = sum({std::move(p), constant(-1.0)});
  return product(leaf(call[0], 0, {cell.batch, cell.head, cell.row, 0}), std::move(p));
}

MaybeShape like_logits(Shapes in, const Parameters& p, const Shape&) {
  const bool fits = in[0] == column_of(in[1]) && labels_fit(p, in[1]);
  return fits ? MaybeShape(in[1]) : std::nullopt;
}

Tensor evaluate_mean_loss_gradient(const Call& call) {
  const double count = number_of_labels(call.parameters);
  Tensor y(call.shape);
  for (Index b = 0; b < y.batch(); ++b) {
    for (Index r = 0; r < y.rows(); ++r) {
      if (label_of(call.parameters, call.shape, b, r) >= 0)
        y.at({b, 0, r, 0}) = call[0].at({}) / count;
    }
  }
  return y;
}

Expression derive_mean_loss_gradient(const Call& call, const Cell& cell) {
  if (label_of(call.parameters, call.shape, cell.batch, cell.row) < 0) return no_label();
  return quotient(leaf(call[0], 0, {}), constant(number_of_labels(call.parameters)));
}

MaybeShape one_for_each_row(Shapes in, const Parameters& p, const Shape& own) {
  const bool fits = in[0] == Shape{{}, {}, 1, 1} && own.cols == 1 && !own.heads &&
                    std::ssize(p.counts("labels")) == own.batch.value_or(1) * own.rows;
  return fits ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kLossGradientsFields[] = {kLabelsField};

}  // namespace

const Operation cross_entropy_gradient{
    .name = "cross_entropy_gradient",
    .formula = "(softmax({1}) − 1 at the label) ∘ {0}",
    .shape_rule = {2, 2, "Every row has a label, and labels are columns.", like_logits},
    .evaluate = evaluate_loss_gradients,
    .derive = derive_loss_gradients,
    .fields = kLossGradientsFields,
    .gradient_why =
        "Each wrong word's score is pushed down by its probability, the right one's up by 1 minus "
        "its own."};

const Operation labelled_mean_gradient{
    .name = "labelled_mean_gradient",
    .formula = "{0} / labelled rows",
    .shape_rule = {1, 1, "There is one number for each label.", one_for_each_row},
    .evaluate = evaluate_mean_loss_gradient,
    .derive = derive_mean_loss_gradient,
    .fields = kLossGradientsFields,
    .gradient_why = "Each of n labelled rows makes up 1/n of the mean."};

}  // namespace attn::ops
