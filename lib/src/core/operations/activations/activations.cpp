// Functions of single numbers between the two layers of a feed-forward network.
#include <cmath>
#include <numbers>

#include "core/operations/activations/gelu.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

/// f of every number, where `f(x)` is one entry of the result.
template <double (*f)(double)>
void write_activations(const RowsCall& call) {
  write_cells(call, f);
}

/// `made(x)` of the same cell of the input.
template <Expression (*made)(const Expression& x)>
Expression derive_activations(const Call& call, const Cell& cell) {
  return made(leaf(call[0], 0, cell));
}

double relu_of(double x) { return x > 0.0 || std::isnan(x) ? x : 0.0; }

Expression relu_from(const Expression& x) { return largest({constant(0.0), x}); }

double gelu_of(double x) { return x * 0.5 * (1.0 + std::erf(x / std::numbers::sqrt2)); }

/// x · ½ · (1 + part).
Expression half_open(const Expression& x, Expression part) {
  return product({x, constant(0.5, "½"), sum({constant(1.0), std::move(part)})});
}

Expression gelu_from(const Expression& x) {
  return half_open(x, error_function(quotient(x, constant(std::numbers::sqrt2, "√2"))));
}

double gelu_tanh_of(double x) {
  return x * 0.5 * (1.0 + std::tanh(kGeluFactor * (x + kGeluCubic * x * x * x)));
}

Expression gelu_tanh_from(const Expression& x) {
  Expression bent = sum({x, product({constant(kGeluCubic), x, x, x})});
  return half_open(x,
                   tangent_hyperbolic(product(constant(kGeluFactor, "√(2/π)"), std::move(bent))));
}

double silu_of(double x) { return x / (1.0 + std::exp(-x)); }

Expression silu_from(const Expression& x) {
  return quotient(x, sum({constant(1.0), exponential(negative(x))}));
}

double sigmoid_of(double x) { return 1.0 / (1.0 + std::exp(-x)); }

Expression sigmoid_from(const Expression& x) {
  return quotient(constant(1.0), sum({constant(1.0), exponential(negative(x))}));
}

template <const Operation& gradient>
std::vector<Share> backward_activations(const Differentiated& step) {
  return {{0, &gradient, {step.gradient, step.inputs[0]}}};
}

}  // namespace

const Operation relu{.name = "relu",
                     .formula = "max(0, {0})",
                     .shape_rule = kLikeInput,
                     .write_rows = write_activations<relu_of>,
                     .derive = derive_activations<relu_from>,
                     .backward = backward_activations<relu_gradient>};

// Hendrycks and Gimpel 2016: x times the share of a normal distribution that is below x.
const Operation gelu{.name = "gelu",
                     .formula = "{0} ∘ ½(1 + erf({0} / √2))",
                     .shape_rule = kLikeInput,
                     .write_rows = write_activations<gelu_of>,
                     .derive = derive_activations<gelu_from>,
                     .backward = backward_activations<gelu_gradient>};

// The approximation of the same paper, which GPT-2 uses.
const Operation gelu_tanh{.name = "gelu_tanh",
                          .formula = "{0} ∘ ½(1 + tanh(√(2/π)·({0} + 0.044715·{0}³)))",
                          .shape_rule = kLikeInput,
                          .write_rows = write_activations<gelu_tanh_of>,
                          .derive = derive_activations<gelu_tanh_from>,
                          .backward = backward_activations<gelu_tanh_gradient>};

const Operation silu{.name = "silu",
                     .formula = "{0} / (1 + e^−{0})",
                     .shape_rule = kLikeInput,
                     .write_rows = write_activations<silu_of>,
                     .derive = derive_activations<silu_from>,
                     .backward = backward_activations<silu_gradient>};

const Operation sigmoid{.name = "sigmoid",
                        .formula = "1 / (1 + e^−{0})",
                        .shape_rule = kLikeInput,
                        .write_rows = write_activations<sigmoid_of>,
                        .derive = derive_activations<sigmoid_from>,
                        .backward = backward_activations<sigmoid_gradient>};

}  // namespace attn::ops
