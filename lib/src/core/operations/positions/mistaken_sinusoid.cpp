// The ways to get sines and cosines of the positions wrong: another exponent or another position.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/positions/mistaken_positions.hpp"
#include "core/operations/positions/waves.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

double mistaken_wave(const Parameters& p, const Cell& cell, Index cols) {
  double factor = number_or(p, "exponent_factor", 1.0);
  double shift = number_or(p, "exponent_shift", 0.0);
  const Wave wave = wave_of(p, cols, cell.col);
  if (!wave.is_sine) {
    factor = number_or(p, "cosine_factor", factor);
    shift = number_or(p, "cosine_shift", shift);
  }
  const double numerator = static_cast<double>(2 * wave.pair) + shift;
  return static_cast<double>(mistaken_position(p, cell)) /
         std::pow(p.number("base"),
                  factor * numerator / static_cast<double>(wave_columns(p, cols)));
}

Tensor evaluate_mistaken_sinusoid(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) {
        const Cell cell{b, h, r, c};
        const double x = mistaken_wave(call.parameters, cell, y.cols());
        const bool is_sine = wave_of(call.parameters, y.cols(), c).is_sine;
        y.at(cell) = is_sine ? std::sin(x) : std::cos(x);
      }
    }
  });
  return y;
}

Expression derive_mistaken_sinusoid(const Call& call, const Cell& cell) {
  Expression x = constant(mistaken_wave(call.parameters, cell, call.shape.cols));
  const bool is_sine = wave_of(call.parameters, call.shape.cols, cell.col).is_sine;
  return is_sine ? sine(std::move(x)) : cosine(std::move(x));
}

MaybeShape shape_of_mistaken_sinusoid(Shapes, const Parameters& p, const Shape& own) {
  return has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

constexpr ParameterField kMistakenSinusoidFields[] = {
    kBaseField,
    kOffsetsField,
    kPositionsField,
    kHalvesField,
    kToBaseField,
    kPlaceField,
    kExponentFactorField,
    kExponentShiftField,
    {.name = "cosine_factor",
     .kind = ParameterField::Kind::Number,
     .summary = "what multiplies the exponent of cosines",
     .required = false},
    {.name = "cosine_shift",
     .kind = ParameterField::Kind::Number,
     .summary = "what is added to 2i in the exponent of cosines",
     .required = false}};

}  // namespace

const Operation mistaken_sinusoid{
    .name = "mistaken_sinusoid",
    .formula = "sin, cos of wrong angles",
    .shape_rule = {0, 0, "There is a position for every row.", shape_of_mistaken_sinusoid},
    .evaluate = evaluate_mistaken_sinusoid,
    .derive = derive_mistaken_sinusoid,
    .fields = kMistakenSinusoidFields};

}  // namespace attn::ops
