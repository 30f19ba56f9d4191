// A·V: each query's mixture of the values, per head; Aᵀ·V as a known mistake.
#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/tensor/eigen.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

void write_multiply(const RowsCall& call) {
  if (!is_transposed(call.parameters)) return write_mixture(call);
  const auto columns = eigen_rows(call[0]).middleCols(call.first, call.result.rows);
  auto result = eigen_rows(call.result);
  result.setZero();
  for (Index l = 0; l < columns.rows(); ++l)
    result.noalias() += columns.row(l).transpose().lazyProduct(eigen_rows(call[1]).row(l));
}

Expression derive_multiply(const Call& call, const Cell& cell) {
  if (!is_transposed(call.parameters)) return sum(product_terms<Second::Plain>(call, cell));
  std::vector<Expression> terms;
  const Index group = kv_head(cell.head, call.shape.heads.value_or(1), call[1]);
  for (Index l = 0; l < call[0].rows(); ++l) {
    terms.push_back(product(leaf(call[0], 0, {cell.batch, cell.head, l, cell.row}),
                            leaf(call[1], 1, {cell.batch, group, l, cell.col})));
  }
  return sum(std::move(terms));
}

MaybeShape shape_of_multiply(Shapes in, const Parameters& p, const Shape&) {
  const Index met = is_transposed(p) ? in[0].rows : in[0].cols;
  const Index made = is_transposed(p) ? in[0].cols : in[0].rows;
  return met == in[1].rows ? grouped(in[0], in[1], made, in[1].cols) : std::nullopt;
}

FormulaPattern formula_of_multiply(const Parameters& p) {
  if (is_transposed(p)) return {"{0}ᵀ·{1}", "{0}^\\top {1}"};
  return multiply.formula;
}

constexpr ParameterField kMultiplyFields[] = {kTransposedField, kTiledField};

std::vector<Share> backward_multiply(const Differentiated& step) {
  if (is_transposed(step.parameters)) return {};  // a mistake
  const Parameters groups = groups_of(step.parameters);
  return {{0, &multiply_transposed, {step.gradient, step.inputs[1]}, groups},
          {1, &transposed_multiply, {step.inputs[0], step.gradient}, groups}};
}

}  // namespace

const Operation multiply{
    .name = "multiply",
    .formula = {"{0}·{1}", "{0} {1}"},
    .shape_rule = {2, 2, kProductRule, shape_of_multiply},
    .write_rows = write_multiply,
    .inputs_by_row = [](const Parameters& p) -> std::size_t { return is_transposed(p) ? 0 : 1; },
    .derive = derive_multiply,
    .fields = kMultiplyFields,
    .formula_for = formula_of_multiply,
    .sizes_meet = SizesMeet::Plain,
    .sums_over_keys = always,
    .backward = backward_multiply,
    .gradient_why = "A query gets a sum of keys, each times the gradient of its score."};

}  // namespace attn::ops
