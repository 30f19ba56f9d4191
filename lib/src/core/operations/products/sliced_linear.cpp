// Each head's own columns of X times its own block of W: a known mistake, in place of X·W.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

/// The columns of X, and rows of W, that serve column `col` of the result.
struct Slice {
  Index first, size;
};
Slice slice_of(const Call& call, Index col) {
  const Index heads = call.parameters.count("heads");
  const Index size = call[0].cols() / heads;
  return {col / (call.shape.cols / heads) * size, size};
}

Expression derive_sliced_linear(const Call& call, const Cell& cell) {
  const Slice slice = slice_of(call, cell.col);
  std::vector<Expression> terms;
  for (Index l = slice.first; l < slice.first + slice.size; ++l) {
    terms.push_back(product(leaf(call[0], 0, {cell.batch, 0, cell.row, l}),
                            leaf(call[1], 1, {0, 0, l, cell.col})));
  }
  if (call.inputs.size() > 2) terms.push_back(leaf(call[2], 2, {0, 0, 0, cell.col}));
  return sum(std::move(terms));
}

Tensor evaluate_sliced_linear(const Call& call) {
  Tensor y(call.shape);
  for (Index b = 0; b < y.batch(); ++b) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) {
        const Slice slice = slice_of(call, c);
        double total = 0.0;
        for (Index l = slice.first; l < slice.first + slice.size; ++l)
          total += call[0].at({b, 0, r, l}) * call[1].at({0, 0, l, c});
        if (call.inputs.size() > 2) total += call[2].at({0, 0, 0, c});
        y.at({b, 0, r, c}) = total;
      }
    }
  }
  return y;
}

MaybeShape shape_of_sliced_linear(Shapes in, const Parameters& p, const Shape&) {
  const Index heads = p.count("heads");
  const bool cut = heads >= 1 && in[0].cols % heads == 0 && in[1].cols % heads == 0;
  const bool bias = in.size() < 3 || (in[2].rows == 1 && in[2].cols == in[1].cols);
  const bool plain = !in[0].heads && !in[1].heads && !in[1].batch;
  if (!cut || !bias || !plain || in[0].cols != in[1].rows) return std::nullopt;
  return Shape{in[0].batch, std::nullopt, in[0].rows, in[1].cols};
}

constexpr ParameterField kSlicedLinearFields[] = {{.name = "heads",
                                                   .kind = ParameterField::Kind::Count,
                                                   .summary = "how many slices X is cut into",
                                                   .least = 1}};

}  // namespace

const Operation sliced_linear{
    .name = "sliced_linear",
    .formula = "{heads} slices of {0} times their blocks of {1}[ + {2}]",
    .shape_rule = {2, 3, "The heads must divide the columns of X and of W evenly.",
                   shape_of_sliced_linear},
    .evaluate = evaluate_sliced_linear,
    .derive = derive_sliced_linear,
    .fields = kSlicedLinearFields};

}  // namespace attn::ops
