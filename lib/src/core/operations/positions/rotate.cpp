// RoPE: pairs of columns rotated by position (Su et al. 2021, RoFormer, equation 34).
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/positions/row_positions.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

/// Whether it undoes a rotation.
bool is_backwards(const Parameters& p) {
  return p.find("backwards") != nullptr && p.flag("backwards");
}

/// The two columns that are rotated together, and which of them `col` is.
struct Pair {
  Index index, first, second;
  bool is_first;
};

/// Pairs as in GPT-NeoX and Llama (halves) or as in the paper (neighbours).
Pair pair_of(Index rotary_dim, bool interleaved, Index col) {
  const Index half = rotary_dim / 2;
  if (interleaved) return {col / 2, col - col % 2, col - col % 2 + 1, col % 2 == 0};
  const Index i = col % half;
  return {i, i, i + half, col < half};
}

Tensor evaluate_rotate(const Call& call) {
  const Parameters& p = call.parameters;
  const Index dim = p.count("rotary_dim");
  const Index start = first_column(p);
  const bool interleaved = p.flag("interleaved");
  const double direction = is_backwards(p) ? -1.0 : 1.0, factor = attention_factor(p);
  Tensor y = call[0];
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto row = y.row(b, h, r);
      for (Index i = 0; i < dim / 2; ++i) {
        const Pair pair = pair_of(dim, interleaved, interleaved ? 2 * i : i);
        const double t = angle_at(p, b, r, i, dim);
        double& first = row[static_cast<std::size_t>(start + pair.first)];
        double& second = row[static_cast<std::size_t>(start + pair.second)];
        const double sine = factor * (direction * std::sin(t));
        const double cosine = factor * std::cos(t);
        const double turned = first * cosine - second * sine;
        second = second * cosine + first * sine;
        first = turned;
      }
    }
  });
  return y;
}

Expression derive_rotate(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  const Index dim = p.count("rotary_dim"), start = first_column(p), own = cell.col - start;
  if (own < 0 || own >= dim) return leaf(call[0], 0, cell);
  const Pair pair = pair_of(dim, p.flag("interleaved"), own);
  const auto at = [&](Index col) {
    return leaf(call[0], 0, {cell.batch, cell.head, cell.row, start + col});
  };
  const Expression t = angle(p, cell.batch, cell.row, pair.index, dim);
  const Index other = pair.is_first ? pair.second : pair.first;
  const auto scaled = [&](Expression wave) {
    if (p.find("attention_factor") == nullptr) return wave;
    return product(constant(attention_factor(p)), std::move(wave));
  };
  Expression turned = product(at(other), scaled(sine(t)));
  if (pair.is_first != is_backwards(p)) turned = negative(std::move(turned));
  return sum({product(at(own), scaled(cosine(t))), std::move(turned)});
}

const char* formula_of_rotate(const Parameters& p) {
  const bool scaled = p.find("attention_factor") != nullptr;
  const bool last = p.find("first_column") != nullptr;
  if (is_backwards(p))
    return scaled ? "{0} rotated back, times {attention_factor}" : "{0} rotated back";
  if (scaled && last)
    return "{0}, from column {first_column} on rotated by position·frequency, times "
           "{attention_factor}";
  if (scaled) return "{0} rotated by position·frequency, times {attention_factor}";
  const bool frequencies = p.find("frequencies") != nullptr;
  if (frequencies && last)
    return "{0}, from column {first_column} on rotated by position·frequency";
  if (frequencies) return "{0} rotated by position·frequency";
  if (last)
    return "{0}, from column {first_column} on rotated by position / {base}^(2i/{rotary_dim})";
  return rotate.formula;
}

MaybeShape shape_of_rotate(Shapes in, const Parameters& p, const Shape&) {
  const Index dim = p.count("rotary_dim");
  const bool pairs = dim >= 2 && dim % 2 == 0 && first_column(p) + dim <= in[0].cols;
  return pairs && has_frequencies(p, dim / 2) && has_offsets(p, in[0]) ? MaybeShape(in[0])
                                                                       : std::nullopt;
}

constexpr ParameterField kRotateFields[] = {kBaseField,
                                            kRotaryDimField,
                                            kInterleavedField,
                                            kOffsetsField,
                                            kPositionsField,
                                            kFrequenciesField,
                                            kAttentionFactorField,
                                            kFirstColumnField,
                                            {.name = "backwards",
                                             .kind = ParameterField::Kind::Flag,
                                             .summary = "whether it rotates back, for gradients",
                                             .required = false}};

std::vector<Share> backward_rotate(const Differentiated& step) {
  Parameters back = step.parameters;
  back.set("backwards", !is_backwards(step.parameters));
  return {{0, &rotate, {step.gradient}, std::move(back)}};
}

}  // namespace

const Operation rotate{
    .name = "rotate",
    .formula = "{0} rotated by position / {base}^(2i/{rotary_dim})",
    .shape_rule = {1, 1, "An even number of columns is rotated, and every row has a position.",
                   shape_of_rotate},
    .evaluate = evaluate_rotate,
    .derive = derive_rotate,
    .fields = kRotateFields,
    .formula_for = formula_of_rotate,
    .backward = backward_rotate,
    .gradient_why = "Turning back undoes the rotation; lengths stay as they are."};

}  // namespace attn::ops
