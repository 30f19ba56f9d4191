// h × T × d → T × h·d: the heads side by side.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto from = call[0].row(b, h, r);
      std::copy(from.begin(), from.end(), y.row(b, 0, r).begin() + h * call[0].cols());
    }
  });
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  const Index d = call[0].cols();
  return leaf(call[0], 0, {cell.batch, cell.col / d, cell.row, cell.col % d});
}

MaybeShape shape(Shapes in, const Parameters&, const Shape&) {
  if (!in[0].heads) return std::nullopt;
  return Shape{in[0].batch, std::nullopt, in[0].rows, *in[0].heads * in[0].cols};
}

}  // namespace

const Operation merge_heads{.name = "merge_heads",
                            .formula = {"{0} side by side", "\\operatorname{concat}({0})"},
                            .shape_rule = {1, 1, "Only heads can be put side by side.", shape},
                            .evaluate = evaluate,
                            .derive = derive,
                            .only_rearranges = [](const Parameters&) { return true; }};

}  // namespace attn::ops
