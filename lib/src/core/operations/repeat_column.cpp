// One number for each row, in every column: what each term of a row sum gets.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_repeat_column(const Call& call) {
  return by_rows(Tensor(call.shape), call[0], [](std::span<double> row, double number) {
    std::fill(row.begin(), row.end(), number);
  });
}

Expression derive_repeat_column(const Call& call, const Cell& cell) {
  return leaf(call[0], 0, {cell.batch, cell.head, cell.row, 0});
}

MaybeShape shape_of_repeat_column(Shapes in, const Parameters&, const Shape& own) {
  return in[0] == column_of(own) ? MaybeShape(own) : std::nullopt;
}

}  // namespace

const Operation repeat_column{
    .name = "repeat_column",
    .formula = "{0} in every column",
    .shape_rule = {1, 1, "The input has one number for each row.", shape_of_repeat_column},
    .evaluate = evaluate_repeat_column,
    .derive = derive_repeat_column,
    .gradient_why = "Every number of a row enters its sum with a factor of 1."};

}  // namespace attn::ops
