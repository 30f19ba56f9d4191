// Sines and cosines of the positions: Vaswani et al. 2017, section 3.5.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/positions/waves.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_sinusoid(const Call& call) {
  Tensor y(call.shape);
  const double base = call.parameters.number("base");
  const Index columns = wave_columns(call.parameters, y.cols());
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto p = static_cast<double>(position(call.parameters, b, r));
      for (Index c = 0; c < y.cols(); ++c) {
        const Wave wave = wave_of(call.parameters, y.cols(), c);
        const double x = p / wavelength(base, wave.pair, columns);
        y.at({b, h, r, c}) = wave.is_sine ? std::sin(x) : std::cos(x);
      }
    }
  });
  return y;
}

Expression derive_sinusoid(const Call& call, const Cell& cell) {
  const Wave wave = wave_of(call.parameters, call.shape.cols, cell.col);
  Expression x = angle(call.parameters, cell.batch, cell.row, wave.pair,
                       wave_columns(call.parameters, call.shape.cols));
  return wave.is_sine ? sine(std::move(x)) : cosine(std::move(x));
}

MaybeShape shape_of_sinusoid(Shapes, const Parameters& p, const Shape& own) {
  return has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

const char* formula_of_sinusoid(const Parameters& p) {
  const bool halves = is_wave_flag(p, "halves");
  if (is_wave_flag(p, "to_base"))
    return halves ? "sin, then cos of position / {base}^(2i/(d_model − 2))"
                  : "sin, cos of position / {base}^(2i/(d_model − 2))";
  return halves ? "sin, then cos of position / {base}^(2i/d_model)" : sinusoid.formula;
}

constexpr ParameterField kSinusoidFields[] = {kBaseField, kOffsetsField, kPositionsField,
                                              kHalvesField, kToBaseField};

}  // namespace

const Operation sinusoid{
    .name = "sinusoid",
    .formula = "sin, cos of position / {base}^(2i/d_model)",
    .shape_rule = {0, 0, "There is a position for every row.", shape_of_sinusoid},
    .evaluate = evaluate_sinusoid,
    .derive = derive_sinusoid,
    .fields = kSinusoidFields,
    .formula_for = formula_of_sinusoid};

}  // namespace attn::ops
