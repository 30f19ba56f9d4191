// Sines and cosines of the positions: Vaswani et al. 2017, section 3.5.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/row_positions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

// Sine in even columns, cosine in odd ones.
Tensor evaluate_sinusoid(const Call& call) {
  Tensor y(call.shape);
  const double base = call.parameters.number("base");
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto p = static_cast<double>(position(call.parameters, b, r));
      for (Index c = 0; c < y.cols(); ++c) {
        const double x = p / wavelength(base, c / 2, y.cols());
        y.at({b, h, r, c}) = c % 2 == 0 ? std::sin(x) : std::cos(x);
      }
    }
  });
  return y;
}

Expression derive_sinusoid(const Call& call, const Cell& cell) {
  Expression x = angle(call.parameters, cell.batch, cell.row, cell.col / 2, call.shape.cols);
  return cell.col % 2 == 0 ? sine(std::move(x)) : cosine(std::move(x));
}

MaybeShape shape_of_sinusoid(Shapes, const Parameters& p, const Shape& own) {
  return has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kSinusoidFields[] = {kBaseField, kOffsetsField};

}  // namespace

const Operation sinusoid{
    .name = "sinusoid",
    .formula = {"sin, cos of position / {base}^(2i/d_model)",
                "\\sin, \\cos\\left(pos / {base}^{2i/d_{\\text{model}}}\\right)"},
    .shape_rule = {0, 0, "There is a position for every row.", shape_of_sinusoid},
    .evaluate = evaluate_sinusoid,
    .derive = derive_sinusoid,
    .fields = kSinusoidFields};

}  // namespace attn::ops
