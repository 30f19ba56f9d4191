// X·W + b: a projection.
#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/tensor/eigen.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

void write_linear(const RowsCall& call) {
  is_transposed(call.parameters) ? write_product<Second::Transposed>(call)
                                 : write_product<Second::Plain>(call);
  if (call.inputs.size() > 2) eigen_rows(call.result).rowwise() += eigen_rows(call[2]).row(0);
}

Expression derive_linear(const Call& call, const Cell& cell) {
  std::vector<Expression> terms = is_transposed(call.parameters)
                                      ? product_terms<Second::Transposed>(call, cell)
                                      : product_terms<Second::Plain>(call, cell);
  if (call.inputs.size() > 2)
    terms.push_back(leaf(call[2], 2, {cell.batch, cell.head, 0, cell.col}));
  return sum(std::move(terms));
}

MaybeShape shape_of_linear(Shapes in, const Parameters& p, const Shape&) {
  const Index met = is_transposed(p) ? in[1].cols : in[1].rows;
  const Index made = is_transposed(p) ? in[1].rows : in[1].cols;
  const Shape result = joined(in[0], in[1], in[0].rows, made);
  bool fits = in[0].cols == met;
  for (const Shape& each : in) fits = fits && spreads_to(each, result);
  if (in.size() > 2) fits = fits && in[2].rows == 1 && in[2].cols == made;
  return fits ? MaybeShape(result) : std::nullopt;
}

FormulaPattern formula_of_linear(const Parameters& p) {
  if (is_transposed(p)) return {"{0}·{1}ᵀ[ + {2}]", "{0} {1}^\\top[ + {2}]"};
  return linear.formula;
}

constexpr ParameterField kLinearFields[] = {kTransposedField};

std::vector<Share> backward_linear(const Differentiated& step) {
  const std::string &x = step.inputs[0], &w = step.inputs[1];
  std::vector<Share> shares;
  if (is_transposed(step.parameters)) {
    shares = {{0, &linear, {step.gradient, w}}, {1, &transposed_multiply, {step.gradient, x}}};
  } else {
    shares = {{0, &add_products, {step.gradient, w}},
              {1, &transposed_multiply, {x, step.gradient}}};
  }
  if (step.inputs.size() > 2) shares.push_back({2, &add_columns, {step.gradient}});
  return shares;
}

}  // namespace

const Operation linear{.name = "linear",
                       .formula = {"{0}·{1}[ + {2}]", "{0} {1}[ + {2}]"},
                       .shape_rule = {2, 3, kProductRule, shape_of_linear},
                       .write_rows = write_linear,
                       .inputs_by_row = first_by_row,
                       .derive = derive_linear,
                       .fields = kLinearFields,
                       .formula_for = formula_of_linear,
                       .sizes_meet = SizesMeet::Plain,
                       .backward = backward_linear};

}  // namespace attn::ops
