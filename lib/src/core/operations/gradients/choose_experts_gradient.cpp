// What the scores of a router get: only chosen ones matter, and their sum if it divides them.
#include <algorithm>

#include "core/operations/experts/choose.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate_choose_experts_gradient(const Call& call) {
  const Parameters& p = call.parameters;
  Tensor y(call.shape);
  for_each_slice(y, [&](Index b, Index h) {
    for (Index r = 0; r < y.rows(); ++r) {
      const auto g = call[0].row(b, h, r), scores = call[1].row(b, h, r);
      const std::vector<Index> chosen = experts_of_row(call, 1, {b, h, r, 0});
      const double sum = chosen_sum(p, scores, chosen);
      double mean = 0.0;  // of the gradient, by weight
      if (p.flag("renormalize")) {
        for (const Index e : chosen) {
          const auto at = static_cast<std::size_t>(e);
          mean += g[at] * (scores[at] / sum);
        }
      }
      for (const Index e : chosen)
        y.at({b, h, r, e}) = router_factor(p) * ((g[static_cast<std::size_t>(e)] - mean) / sum);
    }
  });
  return y;
}

Expression derive_choose_experts_gradient(const Call& call, const Cell& cell) {
  const Parameters& p = call.parameters;
  const std::vector<Index> chosen = experts_of_row(call, 1, cell);
  if (!std::binary_search(chosen.begin(), chosen.end(), cell.col)) {
    Expression none = constant(0.0);
    none.reason = "this token does not choose this expert";
    return none;
  }
  const auto at = [&](int input, Index e) {
    return leaf(call[static_cast<std::size_t>(input)], input, {cell.batch, cell.head, cell.row, e});
  };
  Expression own = at(0, cell.col);
  if (p.flag("renormalize")) {
    std::vector<Expression> scores, terms{at(0, cell.col)};
    for (const Index e : chosen) scores.push_back(at(1, e));
    const Expression all = sum(std::move(scores));
    for (const Index e : chosen)
      terms.push_back(negative(product(at(0, e), quotient(at(1, e), all))));
    own = quotient(sum(std::move(terms)), all);
  }
  if (p.find("factor") != nullptr) own = product(constant(router_factor(p)), std::move(own));
  return own;
}

MaybeShape shape_of_choose_gradient(Shapes in, const Parameters&, const Shape&) {
  const bool biased = in.size() < 3 || in[2] == Shape{{}, {}, 1, in[1].cols};
  return in[0] == in[1] && biased ? MaybeShape(in[1]) : std::nullopt;
}

}  // namespace

const Operation choose_experts_gradient{
    .name = "choose_experts_gradient",
    .formula = "what {0} says of the chosen of {1}",
    .shape_rule = {2, 3, "Gradient and scores have one number for each row and expert.",
                   shape_of_choose_gradient},
    .evaluate = evaluate_choose_experts_gradient,
    .derive = derive_choose_experts_gradient,
    .fields = kChooseFields,
    .gradient_why =
        "Only chosen experts had an effect: which ones are chosen does not change with a small "
        "step."};

}  // namespace attn::ops
