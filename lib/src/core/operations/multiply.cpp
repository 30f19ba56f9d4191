// A·V: each query's mixture of the values, per head; Aᵀ·V as a known mistake.
#include "attn/eigen.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/products.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

bool transposed(const Parameters& p) { return is_set(p, "transposed"); }

void write_rows(const RowsCall& call) {
  if (!transposed(call.parameters)) return write_mixture(call);
  const auto columns = eigen_rows(call[0]).middleCols(call.first, call.result.rows);
  eigen_rows(call.result) = columns.transpose().lazyProduct(eigen_rows(call[1]));
}

Expression derive(const Call& call, const Cell& cell) {
  if (!transposed(call.parameters)) return sum(product_terms<Second::Plain>(call, cell));
  std::vector<Expression> terms;
  const Index group = kv_head(cell.head, call.shape.heads.value_or(1), call[1]);
  for (Index l = 0; l < call[0].rows(); ++l) {
    terms.push_back(product(leaf(call[0], 0, {cell.batch, cell.head, l, cell.row}),
                            leaf(call[1], 1, {cell.batch, group, l, cell.col})));
  }
  return sum(std::move(terms));
}

MaybeShape shape(Shapes in, const Parameters& p, const Shape&) {
  const Index met = transposed(p) ? in[0].rows : in[0].cols;
  const Index made = transposed(p) ? in[0].cols : in[0].rows;
  return met == in[1].rows ? grouped(in[0], in[1], made, in[1].cols) : std::nullopt;
}

FormulaPattern formula_for(const Parameters& p) {
  if (transposed(p)) return {"{0}ᵀ·{1}", "{0}^\\top {1}"};
  return multiply.formula;
}

constexpr ParameterField kFields[] = {kTransposedField, kTiledField};

std::vector<Share> backward(const Differentiated& step) {
  if (transposed(step.parameters)) return {};  // a mistake
  const Parameters groups = groups_of(step.parameters);
  return {{0, &multiply_transposed, {step.gradient, step.inputs[1]}, groups},
          {1, &transposed_multiply, {step.inputs[0], step.gradient}, groups}};
}

}  // namespace

const Operation multiply{
    .name = "multiply",
    .formula = {"{0}·{1}", "{0} {1}"},
    .shape_rule = {2, 2, kProductRule, shape},
    .write_rows = write_rows,
    .inputs_by_row = [](const Parameters& p) -> std::size_t { return transposed(p) ? 0 : 1; },
    .derive = derive,
    .fields = kFields,
    .formula_for = formula_for,
    .sizes_meet = SizesMeet::Plain,
    .sums_over_keys = always,
    .backward = backward,
    .gradient_why = "A query gets a sum of keys, each times the gradient of its score."};

}  // namespace attn::ops
