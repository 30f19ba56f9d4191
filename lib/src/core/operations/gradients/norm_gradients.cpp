// What the input and the weights of a norm get; z is the input normalised, as in the norm.
#include <cmath>
#include <numeric>

#include "core/operations/norms/norm_parts.hpp"
#include "core/operations/operations.hpp"

namespace attn::ops {
namespace {

enum class Norm { Layer, Rms, L2 };

/// What a row is centred by and divided by.
struct Scale {
  double mean = 0.0, divisor = 1.0;
  double count = 1.0;     ///< what sums along the row are divided by
  bool is_fixed = false;  ///< the divisor does not depend on the row
  double of(double x) const { return (x - mean) / divisor; }
};

template <Norm norm>
Scale scale_of(std::span<const double> row, double epsilon) {
  const auto n = static_cast<double>(row.size());
  Scale scale;
  if (norm == Norm::Layer) scale.mean = std::accumulate(row.begin(), row.end(), 0.0) / n;
  double squares = 0.0;
  for (const double x : row) squares += (x - scale.mean) * (x - scale.mean);
  scale.count = norm == Norm::L2 ? 1.0 : n;
  scale.is_fixed = norm == Norm::L2 && std::sqrt(squares) < epsilon;
  scale.divisor = norm == Norm::L2 ? (scale.is_fixed ? epsilon : std::sqrt(squares))
                                   : std::sqrt(squares / n + epsilon);
  return scale;
}

template <Norm norm>
Scale scale_of(const Call& call, const Cell& cell) {
  return scale_of<norm>(call[1].row(cell.batch, cell.head, cell.row),
                        call.parameters.number("epsilon"));
}

/// What the result of the norm, before it is stretched, gets: g = G ∘ γ.
double unstretched(const Call& call, const Cell& at) {
  const double up = call[0].at(at);
  if (call.inputs.size() < 3) return up;
  return up * (call[2].at({0, at.head, 0, at.col}) + weight_offset(call.parameters));
}

/// (g − mean(g) − z·mean(g ∘ z)) / divisor; an RMS norm subtracts no mean, and for a norm by length
/// the last mean is a sum.
template <Norm norm>
Tensor evaluate_norm_gradients(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const Scale scale = scale_of<norm>(call, {b, h, r, 0});
      const auto x = call[1].row(b, h, r);
      const auto row = y.row(b, h, r);
      double mean = 0.0, along = 0.0;
      for (std::size_t c = 0; c < x.size(); ++c) {
        row[c] = unstretched(call, {b, h, r, static_cast<Index>(c)});
        mean += norm == Norm::Layer ? row[c] : 0.0;
        along += scale.is_fixed ? 0.0 : row[c] * scale.of(x[c]);
      }
      for (std::size_t c = 0; c < x.size(); ++c)
        row[c] =
            (row[c] - mean / scale.count - scale.of(x[c]) * (along / scale.count)) / scale.divisor;
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
  const auto averaged = [&](std::vector<Expression> terms) {
    Expression total = sum(std::move(terms));
    return norm == Norm::L2 ? total : quotient(std::move(total), constant(scale.count));
  };
  const auto g = [&](const Cell& at) {
    Expression up = leaf(call[0], 0, at);
    return call.inputs.size() < 3 ? up : product(std::move(up), weight_of(call, 2, at));
  };
  std::vector<Expression> all, along;
  for (Index c = 0; c < call.shape.cols; ++c) {
    const Cell at{cell.batch, cell.head, cell.row, c};
    all.push_back(g(at));
    along.push_back(product(g(at), scaled(call, at, scale)));
  }
  std::vector<Expression> parts{g(cell)};
  if (norm == Norm::Layer) parts.push_back(negative(averaged(std::move(all))));
  if (!scale.is_fixed)
    parts.push_back(negative(product(scaled(call, cell, scale), averaged(std::move(along)))));
  return quotient(sum(std::move(parts)), constant(scale.divisor));
}

MaybeShape shape_of_norm_gradients(Shapes in, const Parameters&, const Shape&) {
  const bool weighed = in.size() > 2;
  const bool fits =
      in[1] == in[0] &&
      (!weighed || (in[2].rows == 1 && in[2].cols == in[0].cols && spreads_to(in[2], in[0])));
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
        y.at({0, h, 0, c}) += call[0].at({b, h, r, c}) * scale.of(call[1].at({b, h, r, c}));
    }
  });
  return y;
}

template <Norm norm>
Expression derive_weight(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for_each_slice(call[0], [&](Index b, Index h) {
    if (call.shape.heads && h != cell.head) return;
    for (Index r = 0; r < call[0].rows(); ++r) {
      const Cell at{b, h, r, cell.col};
      terms.push_back(product(leaf(call[0], 0, at), scaled(call, at, scale_of<norm>(call, at))));
    }
  });
  return sum(std::move(terms));
}

MaybeShape weight_shape(Shapes in, const Parameters&, const Shape& own) {
  const bool fits = in[1] == in[0] && own.rows == 1 && own.cols == in[0].cols && !own.batch &&
                    spreads_to(own, in[0]);
  return fits ? MaybeShape(own) : std::nullopt;
}

constexpr const char* kRowRule =
    "Gradient and input have one shape, with a weight for each column.";

template <Norm norm>
constexpr Operation input_gradient(const char* name, const char* formula, const char* why,
                                   const char* (*formula_for)(const Parameters&)) {
  return {.name = name,
          .formula = formula,
          .shape_rule = {2, 3, kRowRule, shape_of_norm_gradients},
          .evaluate = evaluate_norm_gradients<norm>,
          .derive = derive_norm_gradients<norm>,
          .fields = kNormFields,
          .formula_for = formula_for,
          .gradient_why = why};
}

template <Norm norm>
constexpr Operation weight_gradient(const char* name) {
  return {.name = name,
          .formula = "column sums of {0} ∘ z, z = {1} normalised",
          .shape_rule = {2, 2, kRowRule, weight_shape},
          .evaluate = evaluate_weight<norm>,
          .derive = derive_weight<norm>,
          .fields = kNormFields,
          .gradient_why = "A weight multiplies its column in every row."};
}

constexpr const char* kSizeIsSet =
    "The norm sets the size of each row, so a change in that direction has no effect.";

}  // namespace

const Operation layer_norm_gradient = input_gradient<Norm::Layer>(
    "layer_norm_gradient",
    "(g − mean(g) − z·mean(g ∘ z)) / √(variance + {epsilon}), g = {0}[ ∘ {2}]",
    "The norm sets the mean and the size of each row, so changes in these two directions have no "
    "effect.",
    [](const Parameters& p) {
      return weight_offset(p) == 1.0
                 ? "(g − mean(g) − z·mean(g ∘ z)) / √(variance + {epsilon}), g = {0}[ ∘ (1 + {2})]"
                 : "(g − mean(g) − z·mean(g ∘ z)) / √(variance + {epsilon}), g = {0}[ ∘ {2}]";
    });
const Operation rms_norm_gradient = input_gradient<Norm::Rms>(
    "rms_norm_gradient", "(g − z·mean(g ∘ z)) / √(mean of squares + {epsilon}), g = {0}[ ∘ {2}]",
    kSizeIsSet, [](const Parameters& p) {
      return weight_offset(p) == 1.0
                 ? "(g − z·mean(g ∘ z)) / √(mean of squares + {epsilon}), g = {0}[ ∘ (1 + {2})]"
                 : "(g − z·mean(g ∘ z)) / √(mean of squares + {epsilon}), g = {0}[ ∘ {2}]";
    });
const Operation l2_norm_gradient = input_gradient<Norm::L2>(
    "l2_norm_gradient", "(g − z·rowsum(g ∘ z)) / √(sum of squares), g = {0}[ ∘ {2}]", kSizeIsSet,
    [](const Parameters& p) {
      return weight_offset(p) == 1.0
                 ? "(g − z·rowsum(g ∘ z)) / √(sum of squares), g = {0}[ ∘ (1 + {2})]"
                 : "(g − z·rowsum(g ∘ z)) / √(sum of squares), g = {0}[ ∘ {2}]";
    });
const Operation layer_norm_weight_gradient =
    weight_gradient<Norm::Layer>("layer_norm_weight_gradient");
const Operation rms_norm_weight_gradient = weight_gradient<Norm::Rms>("rms_norm_weight_gradient");
const Operation l2_norm_weight_gradient = weight_gradient<Norm::L2>("l2_norm_weight_gradient");

}  // namespace attn::ops
