// G·Wᵀ + H·Vᵀ + …: what an input gets from everything that multiplies it by weights.
#include "core/operations/operations.hpp"
#include "core/operations/products/products.hpp"
#include "core/operations/row_links.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Call product_of(const Call& call, std::size_t i) {
  return {call.inputs.subspan(i, 2), call.parameters, call.shape};
}

Tensor evaluate_add_products(const Call& call) {
  Tensor y = attn::ops::evaluate(multiply_transposed, product_of(call, 0));
  for (std::size_t i = 2; i < call.inputs.size(); i += 2) {
    y = by_cells(std::move(y), attn::ops::evaluate(multiply_transposed, product_of(call, i)),
                 [](double a, double b) { return a + b; });
  }
  return y;
}

void count_from(Expression& part, int first) {
  if (part.kind == Expression::Kind::Leaf) part.input += first;
  for (Expression& each : part.parts) count_from(each, first);
}

Expression derive_add_products(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for (std::size_t i = 0; i < call.inputs.size(); i += 2) {
    for (Expression& term : product_terms<Second::Transposed>(product_of(call, i), cell)) {
      count_from(term, static_cast<int>(i));
      terms.push_back(std::move(term));
    }
  }
  return sum(std::move(terms));
}

MaybeShape shape_of_add_products(Shapes in, const Parameters&, const Shape&) {
  if (in.size() % 2 != 0) return std::nullopt;
  const Shape result = joined(in[0], in[1], in[0].rows, in[1].rows);
  for (std::size_t i = 0; i < in.size(); i += 2) {
    const Shape &a = in[i], &b = in[i + 1];
    const bool fits = a.cols == b.cols && a.rows == result.rows && b.rows == result.cols &&
                      spreads_to(a, result) && spreads_to(b, result);
    if (!fits) return std::nullopt;
  }
  return result;
}

}  // namespace

const Operation add_products{
    .name = "add_products",
    .formula = "{0}·{1}ᵀ[ + {2}·{3}ᵀ][ + {4}·{5}ᵀ]",
    .shape_rule =
        {2, 6, "In each G·Wᵀ, both have the same number of columns; all products have one shape.",
         shape_of_add_products},
    .evaluate = evaluate_add_products,
    .derive = derive_add_products,
    .sizes_meet = SizesMeet::Transposed,
    .gradient_why =
        "Whatever was made from these numbers passes a gradient back; the gradients of all paths "
        "are added."};

}  // namespace attn::ops
