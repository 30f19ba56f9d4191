// Slopes of the functions between two layers of a feed-forward network, times the gradient.
#include <cmath>
#include <numbers>

#include "core/operations/activations/gelu.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

const double kDensity = 1.0 / std::sqrt(2.0 * std::numbers::pi);

Expression half_of(Expression part) {
  return product(constant(0.5, "½"), sum({constant(1.0), std::move(part)}));
}

double relu_slope(double x) { return std::isnan(x) ? x : x > 0.0 ? 1.0 : 0.0; }

Expression relu_slope_from(const Expression& x) { return constant(relu_slope(x.value)); }

double gelu_slope(double x) {
  return 0.5 * (1.0 + std::erf(x / std::numbers::sqrt2)) + x * std::exp(-0.5 * x * x) * kDensity;
}

Expression gelu_slope_from(const Expression& x) {
  Expression bell = exponential(negative(quotient(square(x), constant(2.0))));
  return sum({half_of(error_function(quotient(x, constant(std::numbers::sqrt2, "√2")))),
              quotient(product(x, std::move(bell)), constant(1.0 / kDensity, "√(2π)"))});
}

double gelu_tanh_slope(double x) {
  const double t = std::tanh(kGeluFactor * (x + kGeluCubic * x * x * x));
  return 0.5 * (1.0 + t) + 0.5 * x * (1.0 - t * t) * kGeluFactor * (1.0 + 3.0 * kGeluCubic * x * x);
}

Expression gelu_tanh_slope_from(const Expression& x) {
  const Expression factor = constant(kGeluFactor, "√(2/π)");
  const Expression t =
      tangent_hyperbolic(product(factor, sum({x, product({constant(kGeluCubic), x, x, x})})));
  return sum({half_of(t),
              product({constant(0.5, "½"), x, sum({constant(1.0), negative(square(t))}), factor,
                       sum({constant(1.0), product({constant(3.0 * kGeluCubic), x, x})})})});
}

double silu_slope(double x) {
  const double s = 1.0 / (1.0 + std::exp(-x));
  return s * (1.0 + x * (1.0 - s));
}

Expression silu_slope_from(const Expression& x) {
  const Expression s = quotient(constant(1.0), sum({constant(1.0), exponential(negative(x))}));
  return product(s, sum({constant(1.0), product(x, sum({constant(1.0), negative(s)}))}));
}

double sigmoid_slope(double x) {
  const double s = 1.0 / (1.0 + std::exp(-x));
  return s * (1.0 - s);
}

Expression sigmoid_slope_from(const Expression& x) {
  const Expression s = quotient(constant(1.0), sum({constant(1.0), exponential(negative(x))}));
  return product(s, sum({constant(1.0), negative(s)}));
}

template <double (*slope)(double)>
Tensor evaluate_activation_gradients(const Call& call) {
  return by_cells(call[0], call[1], [](double g, double x) { return g * slope(x) + 0.0; });
}

template <Expression (*slope)(const Expression& x)>
Expression derive_activation_gradients(const Call& call, const Cell& cell) {
  return product(leaf(call[0], 0, cell), slope(leaf(call[1], 1, cell)));
}

/// Where max(0, x) is flat, nothing passes; the input decides, but is not part of the arithmetic.
Expression derive_relu(const Call& call, const Cell& cell) {
  if (call[1].at(cell) > 0.0) return leaf(call[0], 0, cell);
  Expression none = product(leaf(call[0], 0, cell), relu_slope_from(leaf(call[1], 1, cell)));
  none.reason = "max(0, x) is flat here";
  return none;
}

}  // namespace

const Operation relu_gradient{.name = "relu_gradient",
                              .formula = "{0} where {1} > 0, else 0",
                              .shape_rule = kByCells,
                              .evaluate = evaluate_activation_gradients<relu_slope>,
                              .derive = derive_relu,
                              .gradient_why = "Where max(0, x) is flat, a change has no effect."};

const Operation gelu_gradient{.name = "gelu_gradient",
                              .formula = "{0} ∘ (½(1 + erf({1} / √2)) + {1} ∘ e^(−{1}²/2) / √(2π))",
                              .shape_rule = kByCells,
                              .evaluate = evaluate_activation_gradients<gelu_slope>,
                              .derive = derive_activation_gradients<gelu_slope_from>,
                              .gradient_why = "Times the slope of the curve at the input."};

const Operation gelu_tanh_gradient{
    .name = "gelu_tanh_gradient",
    .formula =
        "{0} ∘ (½(1 + t) + ½·{1} ∘ (1 − t²)·√(2/π)·(1 + 0.134145·{1}²)), t = the tanh of "
        "the activation",
    .shape_rule = kByCells,
    .evaluate = evaluate_activation_gradients<gelu_tanh_slope>,
    .derive = derive_activation_gradients<gelu_tanh_slope_from>,
    .gradient_why = "Times the slope of the curve at the input."};

const Operation silu_gradient{.name = "silu_gradient",
                              .formula = "{0} ∘ σ ∘ (1 + {1} ∘ (1 − σ)), σ = 1 / (1 + e^−{1})",
                              .shape_rule = kByCells,
                              .evaluate = evaluate_activation_gradients<silu_slope>,
                              .derive = derive_activation_gradients<silu_slope_from>,
                              .gradient_why = "Times the slope of the curve at the input."};

const Operation sigmoid_gradient{.name = "sigmoid_gradient",
                                 .formula = "{0} ∘ σ ∘ (1 − σ), σ = 1 / (1 + e^−{1})",
                                 .shape_rule = kByCells,
                                 .evaluate = evaluate_activation_gradients<sigmoid_slope>,
                                 .derive = derive_activation_gradients<sigmoid_slope_from>,
                                 .gradient_why = "Times the slope of the curve at the input."};

}  // namespace attn::ops
