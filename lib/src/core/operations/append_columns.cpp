// Matrices side by side: keys without positions beside those that RoPE rotates.
// An input without heads is beside each head.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_append_columns(const Call& call) {
  Tensor y = Tensor::unset(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      auto to = y.row(b, h, r).begin();
      for (const Tensor* part : call.inputs) {
        const auto from = part->row(b, h, r);
        to = std::copy(from.begin(), from.end(), to);
      }
    }
  });
  return y;
}

Expression derive_append_columns(const Call& call, const Cell& cell) {
  Cell own = cell;
  std::size_t part = 0;
  for (; own.col >= call[part].cols(); ++part) own.col -= call[part].cols();
  return leaf(call[part], static_cast<int>(part), own);
}

MaybeShape shape_of_append_columns(Shapes in, const Parameters&, const Shape&) {
  Shape result = in[0];
  for (const Shape& part : in.subspan(1))
    result = joined(result, part, result.rows, result.cols + part.cols);
  const bool fits = std::all_of(in.begin(), in.end(), [&](const Shape& part) {
    return part.rows == result.rows && spreads_to(part, result);
  });
  return fits ? MaybeShape(result) : std::nullopt;
}

std::vector<Share> backward_append_columns(const Differentiated& step) {
  std::vector<Share> shares;
  Index first = 0;
  for (std::size_t part = 0; part < step.inputs.size(); ++part) {
    shares.push_back({part, &cut_columns, {step.gradient}, {{"first", first}}});
    first += step.shapes[part].cols;
  }
  return shares;
}

}  // namespace

const Operation append_columns{
    .name = "append_columns",
    .formula = "{0} beside {1}",
    .shape_rule = {2, 2, "Matrices side by side have the same number of rows.",
                   shape_of_append_columns},
    .evaluate = evaluate_append_columns,
    .derive = derive_append_columns,
    .backward = backward_append_columns};

}  // namespace attn::ops
