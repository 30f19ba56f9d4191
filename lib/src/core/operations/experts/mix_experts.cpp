// Σ over experts of weight · result, row by row; and what each of them gets of the gradient.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

constexpr std::size_t kMostExperts = 4096;

Tensor evaluate_mix_experts(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto weights = call[0].row(b, h, r);
      const auto to = y.row(b, h, r);
      for (std::size_t e = 0; e < weights.size(); ++e) {
        if (weights[e] == 0.0) continue;  // not chosen, whatever its result is
        const auto from = call[e + 1].row(b, h, r);
        for (std::size_t c = 0; c < to.size(); ++c) to[c] += weights[e] * from[c];
      }
    }
  });
  return y;
}

Expression derive_mix_experts(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for (Index e = 0; e < call[0].cols(); ++e) {
    const Cell weight{cell.batch, cell.head, cell.row, e};
    if (call[0].at(weight) == 0.0) continue;
    terms.push_back(product(leaf(call[0], 0, weight), leaf(call[static_cast<std::size_t>(e + 1)],
                                                           static_cast<int>(e + 1), cell)));
  }
  if (terms.empty()) return constant(0.0);
  return terms.size() == 1 ? terms.front() : sum(std::move(terms));
}

MaybeShape shape_of_mix_experts(Shapes in, const Parameters&, const Shape&) {
  if (in[0].cols != std::ssize(in) - 1 || in[0].rows != in[1].rows) return std::nullopt;
  for (const Shape& each : in.subspan(1)) {
    if (each != in[1]) return std::nullopt;
  }
  return spreads_to(in[0], in[1]) ? MaybeShape(in[1]) : std::nullopt;
}

std::vector<Share> backward_mix_experts(const Differentiated& step) {
  std::vector<std::string> results{step.gradient};
  results.insert(results.end(), step.inputs.begin() + 1, step.inputs.end());
  std::vector<Share> shares{{0, &mix_weights_gradient, std::move(results)}};
  for (std::size_t e = 1; e < step.inputs.size(); ++e)
    shares.push_back({e,
                      &mix_result_gradient,
                      {step.gradient, step.inputs[0]},
                      {{"expert", static_cast<Index>(e - 1)}}});
  return shares;
}

Tensor evaluate_mix_weights_gradient(const Call& call) {
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto g = call[0].row(b, h, r);
      for (Index e = 0; e < y.cols(); ++e) {
        const auto result = call[static_cast<std::size_t>(e + 1)].row(b, h, r);
        double sum = 0.0;
        for (std::size_t c = 0; c < g.size(); ++c) sum += g[c] * result[c];
        y.at({b, h, r, e}) = sum;
      }
    }
  });
  return y;
}

Expression derive_mix_weights_gradient(const Call& call, const Cell& cell) {
  const int input = static_cast<int>(cell.col + 1);
  std::vector<Expression> terms;
  for (Index c = 0; c < call[0].cols(); ++c) {
    const Cell at{cell.batch, cell.head, cell.row, c};
    terms.push_back(
        product(leaf(call[0], 0, at), leaf(call[static_cast<std::size_t>(input)], input, at)));
  }
  return sum(std::move(terms));
}

MaybeShape shape_of_mix_weights_gradient(Shapes in, const Parameters&, const Shape&) {
  for (const Shape& each : in.subspan(1)) {
    if (each != in[0]) return std::nullopt;
  }
  return Shape{in[0].batch, in[0].heads, in[0].rows, std::ssize(in) - 1};
}

Tensor evaluate_mix_result_gradient(const Call& call) {
  const Index expert = call.parameters.count("expert");
  Tensor y = call[0];
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const double weight = call[1].at({b, h, r, expert});
      for (double& x : y.row(b, h, r)) x = weight == 0.0 ? 0.0 : weight * x;
    }
  });
  return y;
}

Expression derive_mix_result_gradient(const Call& call, const Cell& cell) {
  const Cell weight{cell.batch, cell.head, cell.row, call.parameters.count("expert")};
  return product(leaf(call[1], 1, weight), leaf(call[0], 0, cell));
}

MaybeShape shape_of_mix_result_gradient(Shapes in, const Parameters& p, const Shape&) {
  const bool fits =
      in[0].rows == in[1].rows && p.count("expert") < in[1].cols && spreads_to(in[1], in[0]);
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

constexpr ParameterField kExpertFields[] = {{.name = "expert",
                                             .kind = ParameterField::Kind::Count,
                                             .summary = "whose weight, counted from 0",
                                             .least = 0}};

}  // namespace

const Operation mix_experts{
    .name = "mix_experts",
    .formula = "sum over experts of weight ∘ result",
    .shape_rule = {2, kMostExperts, "There is one weight for each row and result.",
                   shape_of_mix_experts},
    .evaluate = evaluate_mix_experts,
    .derive = derive_mix_experts,
    .backward = backward_mix_experts};

const Operation mix_weights_gradient{
    .name = "mix_weights_gradient",
    .formula = "rowsum({0} ∘ the result of each expert)",
    .shape_rule = {2, kMostExperts, "All results have the shape of the gradient.",
                   shape_of_mix_weights_gradient},
    .evaluate = evaluate_mix_weights_gradient,
    .derive = derive_mix_weights_gradient,
    .gradient_why = "A weight counts as much as the result that it multiplies."};

const Operation mix_result_gradient{
    .name = "mix_result_gradient",
    .formula = "{0} ∘ column {expert} of {1}",
    .shape_rule = {2, 2, "There is a weight for each row.", shape_of_mix_result_gradient},
    .evaluate = evaluate_mix_result_gradient,
    .derive = derive_mix_result_gradient,
    .fields = kExpertFields,
    .gradient_why = "A result counts as much as its weight; without one it has no effect."};

}  // namespace attn::ops
