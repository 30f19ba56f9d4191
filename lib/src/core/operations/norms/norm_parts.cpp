// Shapes that meet, the root of a mean, weights with an offset, and the shares of gradients.
#include "core/operations/norms/norm_parts.hpp"

#include <algorithm>

#include "core/operations/operations.hpp"

namespace attn::ops {

MaybeShape features_meet(Shapes in, const Parameters&, const Shape&) {
  const bool fits = std::all_of(in.begin() + 1, in.end(), [&](const Shape& each) {
    return each.rows == 1 && each.cols == in[0].cols && !each.batch && spreads_to(each, in[0]);
  });
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

Expression root_of_mean(const Call& call, std::vector<Expression> squares) {
  const auto count = static_cast<double>(squares.size());
  const double epsilon = call.parameters.number("epsilon");
  Expression mean = quotient(sum(std::move(squares)), constant(count));
  return root(epsilon == 0.0 ? std::move(mean) : sum({std::move(mean), constant(epsilon)}));
}

double weight_offset(const Parameters& p) {
  return p.find("offset") == nullptr ? 0.0 : p.number("offset");
}

Expression weight_of(const Call& call, std::size_t i, const Cell& cell) {
  Expression weight = leaf(call[i], static_cast<int>(i), {0, cell.head, 0, cell.col});
  const double offset = weight_offset(call.parameters);
  return offset == 0.0 ? weight : sum({constant(offset), std::move(weight)});
}

Expression stretched(const Call& call, const Cell& cell, Expression x) {
  if (call.inputs.size() < 2) return x;
  Expression y = product(std::move(x), weight_of(call, 1, cell));
  if (call.inputs.size() < 3) return y;
  return sum({std::move(y), leaf(call[2], 2, {0, cell.head, 0, cell.col})});
}

std::vector<Share> norm_shares(const Differentiated& step, const Operation& input_gradient,
                               const Operation& weight_gradient) {
  std::vector<std::string> sources{step.gradient, step.inputs[0]};
  std::vector<Share> shares{{1, &weight_gradient, sources, step.parameters}};
  if (step.inputs.size() > 1) sources.push_back(step.inputs[1]);
  Share of_input{0, &input_gradient, std::move(sources), step.parameters};
  if (step.inputs.size() < 2) return {std::move(of_input)};
  shares.insert(shares.begin(), std::move(of_input));
  if (step.inputs.size() > 2) shares.push_back({2, &add_columns, {step.gradient}});
  return shares;
}

}  // namespace attn::ops
