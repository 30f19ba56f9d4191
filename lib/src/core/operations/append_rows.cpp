// Stacked matrices: the past above the new rows.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_append_rows(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    auto to = y.matrix(b, h).begin();
    for (const Tensor* part : call.inputs) {
      const auto from = part->matrix(b, h);
      to = std::copy(from.begin(), from.end(), to);
    }
  });
  return y;
}

Expression derive_append_rows(const Call& call, const Cell& cell) {
  Cell own = cell;
  std::size_t part = 0;
  for (; own.row >= call[part].rows(); ++part) own.row -= call[part].rows();
  return leaf(call[part], static_cast<int>(part), own);
}

MaybeShape shape_of_append_rows(Shapes in, const Parameters&, const Shape&) {
  Shape result = in[0];
  for (const Shape& part : in.subspan(1)) {
    result = joined(result, part, result.rows + part.rows, result.cols);
  }
  const bool fits = std::all_of(in.begin(), in.end(), [&](const Shape& part) {
    return part.cols == result.cols && spreads_to(part, result);
  });
  return fits ? MaybeShape(result) : std::nullopt;
}

std::vector<Share> backward_append_rows(const Differentiated& step) {
  std::vector<Share> shares;
  Index first = 0;
  for (std::size_t part = 0; part < step.inputs.size(); ++part) {
    shares.push_back({part, &cut_rows, {step.gradient}, {{"first", first}}});
    first += step.shapes[part].rows;
  }
  return shares;
}

}  // namespace

const Operation append_rows{
    .name = "append_rows",
    .formula = "{0} above {1}[ above {2}]",
    .shape_rule = {2, 3, "Stacked matrices have the same number of columns.", shape_of_append_rows},
    .evaluate = evaluate_append_rows,
    .derive = derive_append_rows,
    .backward = backward_append_rows};

}  // namespace attn::ops
