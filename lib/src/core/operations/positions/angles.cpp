// The angles that rotary positions turn by: shown beside the rotation, which makes its own.
#include "core/operations/operations.hpp"
#include "core/operations/positions/row_positions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_angles(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index i = 0; i < y.cols(); ++i)
        y.at({b, h, r, i}) = angle_at(call.parameters, b, r, i, 2 * y.cols());
    }
  });
  return y;
}

Expression derive_angles(const Call& call, const Cell& cell) {
  return angle(call.parameters, cell.batch, cell.row, cell.col, 2 * call.shape.cols);
}

/// Of what is rotated, or its own: as many rows, and a batch axis if entries have other positions.
MaybeShape shape_of_angles(Shapes, const Parameters& p, const Shape& own) {
  const Index pairs = p.count("rotary_dim") / 2;
  const bool shared = p.counts("offsets").size() == 1;
  if (!has_frequencies(p, pairs) || !has_offsets(p, own)) return std::nullopt;
  return Shape{shared ? std::nullopt : own.batch, {}, own.rows, pairs};
}

const char* formula_of_angles(const Parameters& p) {
  return p.find("frequencies") == nullptr ? angles.formula : "position·frequency";
}

constexpr ParameterField kAnglesFields[] = {kBaseField, kRotaryDimField, kOffsetsField,
                                            kPositionsField, kFrequenciesField};

}  // namespace

const Operation angles{
    .name = "angles",
    .formula = "position / {base}^(2i/{rotary_dim})",
    .shape_rule = {0, 0, "Every row has a position, and every pair a frequency.", shape_of_angles},
    .evaluate = evaluate_angles,
    .derive = derive_angles,
    .fields = kAnglesFields,
    .formula_for = formula_of_angles};

}  // namespace attn::ops
