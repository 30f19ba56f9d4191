// The gated activation of gpt-oss, 2025, and its gradients.
// (clamp(up) + 1) ∘ g ∘ σ(α·g), where g is the gate, at most `limit`.
#include <algorithm>
#include <cmath>

#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

constexpr ParameterField kSwigluFields[] = {
    {.name = "alpha",
     .kind = ParameterField::Kind::Number,
     .summary = "how steep σ is",
     .least = 0.0},
    {.name = "limit",
     .kind = ParameterField::Kind::Number,
     .summary = "the largest gate, and how far from 0 the other product may be",
     .least = 0.0},
    {.name = "of_gate",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether the gradient is that of the gate",
     .required = false}};

/// One pair of numbers, clamped.
struct SwigluPair {
  double gate, up, sigma, alpha;
  bool gate_moves, up_moves;  ///< not held by the limit

  SwigluPair(const Parameters& p, double g, double u)
      : gate(std::min(g, p.number("limit"))),
        up(std::clamp(u, -p.number("limit"), p.number("limit"))),
        sigma(1.0 / (1.0 + std::exp(-p.number("alpha") * gate))),
        alpha(p.number("alpha")),
        gate_moves(g < p.number("limit")),
        up_moves(std::abs(u) < p.number("limit")) {}

  double value() const { return (up + 1.0) * (gate * sigma); }
  double slope_of_gate() const {
    return gate_moves ? (up + 1.0) * (sigma * (1.0 + alpha * gate * (1.0 - sigma))) : 0.0;
  }
  double slope_of_up() const { return up_moves ? gate * sigma : 0.0; }
};

/// A number of an input, or the limit that holds it.
Expression held(const Call& call, int input, const Cell& cell, double value) {
  const Tensor& x = call[static_cast<std::size_t>(input)];
  return x.at(cell) == value ? leaf(x, input, cell) : constant(value);
}

Expression swiglu_sigma(double alpha, const Expression& gate) {
  return quotient(constant(1.0),
                  sum({constant(1.0), exponential(negative(product(constant(alpha), gate)))}));
}

Tensor evaluate_swiglu(const Call& call) {
  return by_cells(call[0], call[1], [&](double gate, double up) {
    return SwigluPair(call.parameters, gate, up).value();
  });
}

Expression derive_swiglu(const Call& call, const Cell& cell) {
  const SwigluPair pair(call.parameters, call[0].at(cell), call[1].at(cell));
  const Expression gate = held(call, 0, cell, pair.gate);
  return product(
      {sum({held(call, 1, cell, pair.up), constant(1.0)}), gate, swiglu_sigma(pair.alpha, gate)});
}

std::vector<Share> backward_swiglu(const Differentiated& step) {
  std::vector<Share> shares;
  for (const bool of_gate : {true, false}) {
    Parameters own = step.parameters;
    own.set("of_gate", of_gate);
    shares.push_back({of_gate ? std::size_t{0} : std::size_t{1},
                      &clamped_swiglu_gradient,
                      {step.gradient, step.inputs[0], step.inputs[1]},
                      std::move(own)});
  }
  return shares;
}

Tensor evaluate_swiglu_gradient(const Call& call) {
  const bool of_gate = call.parameters.flag("of_gate");
  Tensor y = call[0];
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      for (Index c = 0; c < y.cols(); ++c) {
        const Cell at{b, h, r, c};
        const SwigluPair pair(call.parameters, call[1].at(at), call[2].at(at));
        y.at(at) *= of_gate ? pair.slope_of_gate() : pair.slope_of_up();
      }
    }
  });
  return y;
}

Expression derive_swiglu_gradient(const Call& call, const Cell& cell) {
  const bool of_gate = call.parameters.flag("of_gate");
  const SwigluPair pair(call.parameters, call[1].at(cell), call[2].at(cell));
  if (!(of_gate ? pair.gate_moves : pair.up_moves)) {
    Expression none = product(leaf(call[0], 0, cell), constant(0.0));
    none.reason = "the limit holds this number";
    return none;
  }
  const Expression gate = held(call, 1, cell, pair.gate);
  const Expression sigma = swiglu_sigma(pair.alpha, gate);
  if (!of_gate) return product({leaf(call[0], 0, cell), gate, sigma});
  return product({leaf(call[0], 0, cell), sum({held(call, 2, cell, pair.up), constant(1.0)}), sigma,
                  sum({constant(1.0), product({constant(pair.alpha), gate,
                                               sum({constant(1.0), negative(sigma)})})})});
}

MaybeShape shape_of_swiglu_gradient(Shapes in, const Parameters& p, const Shape&) {
  const bool fits = in[1] == in[0] && in[2] == in[0] && p.find("of_gate") != nullptr;
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

}  // namespace

const Operation clamped_swiglu{.name = "clamped_swiglu",
                               .formula = "({1} + 1) ∘ {0} ∘ σ({alpha}·{0}), both at most {limit}",
                               .shape_rule = kByCells,
                               .evaluate = evaluate_swiglu,
                               .derive = derive_swiglu,
                               .fields = kSwigluFields,
                               .backward = backward_swiglu};

const Operation clamped_swiglu_gradient{
    .name = "clamped_swiglu_gradient",
    .formula = "{0} ∘ the slope at {1} and {2}",
    .shape_rule = {3, 3, "All inputs have the same rows and columns.", shape_of_swiglu_gradient},
    .evaluate = evaluate_swiglu_gradient,
    .derive = derive_swiglu_gradient,
    .fields = kSwigluFields,
    .gradient_why = "Times the slope of the curve; what the limit holds does not move."};

}  // namespace attn::ops
