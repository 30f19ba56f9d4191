// What the input and the weights of a norm get; z is the input normalised, as in the norm.
#include <cmath>
#include <numeric>

#include "core/operations/operations.hpp"
#include "core/operations/softmax/normalizing.hpp"

namespace attn::ops {
namespace {

enum class Norm { Layer, Rms };

/// What a row is centred by and divided by.
struct Scale {
  double mean = 0.0, divisor = 1.0;
  double of(double x) const { return (x - mean) / divisor; }
};

template <Norm norm>
Scale scale_of(std::span<const double> row, double epsilon) {
  const auto n = static_cast<double>(row.size());
  Scale scale;
  if (norm == Norm::Layer) scale.mean = std::accumulate(row.begin(), row.end(), 0.0) / n;
  double squares = 0.0;
  for (const double x : row) squares += (x - scale.mean) * (x - scale.mean);
  scale.divisor = std::sqrt(squares / n + epsilon);
  return scale;
}

template <Norm norm>
Scale scale_of(const Call& call, const Cell& cell) {
  return scale_of<norm>(call[1].row(cell.batch, cell.head, cell.row),
                        call.parameters.number("epsilon"));
}

/// (g − mean(g) − z·mean(g ∘ z)) / divisor, where g = G ∘ γ; an RMS norm subtracts no mean.
template <Norm norm>
Tensor evaluate_norm_gradients(const Call& call) {
  Tensor y(call.shape);
  const NumberSpan weight = call[2].data();
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const Scale scale = scale_of<norm>(call, {b, h, r, 0});
      const auto up = call[0].row(b, h, r), x = call[1].row(b, h, r);
      double mean = 0.0, along = 0.0;
      for (std::size_t c = 0; c < x.size(); ++c) {
        const double g = up[c] * weight[c];
        mean += norm == Norm::Layer ? g : 0.0;
        along += g * scale.of(x[c]);
      }
      const auto n = static_cast<double>(x.size());
      const auto row = y.row(b, h, r);
      for (std::size_t c = 0; c < x.size(); ++c)
        row[c] = (up[c] * weight[c] - mean / n - scale.of(x[c]) * (along / n)) / scale.divisor;
    }
  });
  return y;
}

/// z of a cell of the input.
Expression scaled(const Call& call, const Cell& cell, const Scale& scale) {
  Expression x = leaf(call[1], 1, cell);
  if (scale.mean != 0.0) x = sum({std::move(x), constant(-scale.mean)});
  return quotient(std::move(x), constant(scale.divisor));
}

template <Norm norm>
Expression derive_norm_gradients(const Call& call, const Cell& cell) {
  const Scale scale = scale_of<norm>(call, cell);
  const auto n = constant(static_cast<double>(call.shape.cols));
  const auto g = [&](const Cell& at) {
    return product(leaf(call[0], 0, at), leaf(call[2], 2, {0, 0, 0, at.col}));
  };
  std::vector<Expression> all, along;
  for (Index c = 0; c < call.shape.cols; ++c) {
    const Cell at{cell.batch, cell.head, cell.row, c};
    all.push_back(g(at));
    along.push_back(
        product({leaf(call[0], 0, at), leaf(call[2], 2, {0, 0, 0, c}), scaled(call, at, scale)}));
  }
  std::vector<Expression> parts{g(cell)};
  if (norm == Norm::Layer) parts.push_back(negative(quotient(sum(std::move(all)), n)));
  parts.push_back(negative(product(scaled(call, cell, scale), quotient(sum(std::move(along)), n))));
  return quotient(sum(std::move(parts)), constant(scale.divisor));
}

MaybeShape shape_of_norm_gradients(Shapes in, const Parameters&, const Shape&) {
  const bool fits = in[1] == in[0] && in[2] == Shape{{}, {}, 1, in[0].cols};
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

/// Column sums of G ∘ z.
template <Norm norm>
Tensor evaluate_weight(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      const Scale scale = scale_of<norm>(call, {b, h, r, 0});
      for (Index c = 0; c < y.cols(); ++c)
        y.at({0, 0, 0, c}) += call[0].at({b, h, r, c}) * scale.of(call[1].at({b, h, r, c}));
    }
  });
  return y;
}

template <Norm norm>
Expression derive_weight(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for_each_slice(call[0], [&](Index b, Index h) {
    for (Index r = 0; r < call[0].rows(); ++r) {
      const Cell at{b, h, r, cell.col};
      terms.push_back(product(leaf(call[0], 0, at), scaled(call, at, scale_of<norm>(call, at))));
    }
  });
  return sum(std::move(terms));
}

MaybeShape weight_shape(Shapes in, const Parameters&, const Shape&) {
  return in[1] == in[0] ? MaybeShape(Shape{{}, {}, 1, in[0].cols}) : std::nullopt;
}

constexpr const char* kRowRule =
    "Gradient and input have one shape, with a weight for each column.";
template <Norm norm>
constexpr Operation input_gradient(const char* name, const char* formula, const char* why) {
  return {.name = name,
          .formula = formula,
          .shape_rule = {3, 3, kRowRule, shape_of_norm_gradients},
          .evaluate = evaluate_norm_gradients<norm>,
          .derive = derive_norm_gradients<norm>,
          .fields = kEpsilonFields,
          .gradient_why = why};
}

template <Norm norm>
constexpr Operation weight_gradient(const char* name) {
  return {.name = name,
          .formula = "column sums of {0} ∘ z, z = {1} normalised",
          .shape_rule = {2, 2, kRowRule, weight_shape},
          .evaluate = evaluate_weight<norm>,
          .derive = derive_weight<norm>,
          .fields = kEpsilonFields,
          .gradient_why = "A weight multiplies its column in every row."};
}

}  // namespace

const Operation layer_norm_gradient = input_gradient<Norm::Layer>(
    "layer_norm_gradient", "(g − mean(g) − z·mean(g ∘ z)) / √(variance + {epsilon}), g = {0} ∘ {2}",
    "The norm sets the mean and the size of each row, so changes in these two directions have no "
    "effect.");
const Operation rms_norm_gradient = input_gradient<Norm::Rms>(
    "rms_norm_gradient", "(g − z·mean(g ∘ z)) / √(mean of squares + {epsilon}), g = {0} ∘ {2}",
    "The norm sets the size of each row, so a change in that direction has no effect.");
const Operation layer_norm_weight_gradient =
    weight_gradient<Norm::Layer>("layer_norm_weight_gradient");
const Operation rms_norm_weight_gradient = weight_gradient<Norm::Rms>("rms_norm_weight_gradient");

}  // namespace attn::ops
