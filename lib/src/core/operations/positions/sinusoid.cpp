// Sines and cosines of the positions: Vaswani et al. 2017, section 3.5.
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/positions/row_positions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

bool in_halves(const Parameters& p) { return p.find("halves") != nullptr && p.flag("halves"); }

/// The pair that a column belongs to, and whether the column is its sine.
struct Wave {
  Index pair;
  bool is_sine;
};

/// Sine in even columns, cosine in odd ones; or all sines, then all cosines, a known mistake.
Wave wave_of(const Parameters& p, Index cols, Index col) {
  if (!in_halves(p)) return {col / 2, col % 2 == 0};
  const Index sines = (cols + 1) / 2;
  return {col % sines, col < sines};
}

Tensor evaluate_sinusoid(const Call& call) {
  Tensor y(call.shape);
  const double base = call.parameters.number("base");
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto p = static_cast<double>(position(call.parameters, b, r));
      for (Index c = 0; c < y.cols(); ++c) {
        const Wave wave = wave_of(call.parameters, y.cols(), c);
        const double x = p / wavelength(base, wave.pair, y.cols());
        y.at({b, h, r, c}) = wave.is_sine ? std::sin(x) : std::cos(x);
      }
    }
  });
  return y;
}

Expression derive_sinusoid(const Call& call, const Cell& cell) {
  const Wave wave = wave_of(call.parameters, call.shape.cols, cell.col);
  Expression x = angle(call.parameters, cell.batch, cell.row, wave.pair, call.shape.cols);
  return wave.is_sine ? sine(std::move(x)) : cosine(std::move(x));
}

MaybeShape shape_of_sinusoid(Shapes, const Parameters& p, const Shape& own) {
  return has_offsets(p, own) ? MaybeShape(own) : std::nullopt;
}

const char* formula_of_sinusoid(const Parameters& p) {
  if (!in_halves(p)) return sinusoid.formula;
  return "sin, then cos of position / {base}^(2i/d_model)";
}

constexpr ParameterField kSinusoidFields[] = {
    kBaseField,
    kOffsetsField,
    kPositionsField,
    {.name = "halves",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether all sines come before all cosines, which is a known mistake",
     .required = false}};

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
