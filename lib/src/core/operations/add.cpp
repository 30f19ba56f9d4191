// A + B, cell by cell: positions to embeddings, a bias and a mask to scores.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  const auto plus = [](double x, double y) { return x + y; };
  Tensor y = call[0];
  for (std::size_t i = 1; i < call.inputs.size(); ++i) y = by_cells(std::move(y), call[i], plus);
  return y;
}

Expression derive(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    terms.push_back(leaf(call[i], static_cast<int>(i), cell));
  return sum(std::move(terms));
}

std::vector<Share> backward(const Differentiated& step) {
  std::vector<Share> shares;
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    shares.push_back({i, &copy, {step.gradient}});
  return shares;
}

constexpr const char* kTerms = "{0} + {1}[ + {2}][ + {3}][ + {4}][ + {5}][ + {6}][ + {7}]";

}  // namespace

const Operation add{.name = "add",
                    .formula = {kTerms, kTerms},
                    .shape_rule = {2, 8, kCellRule, cells_meet},
                    .evaluate = evaluate,
                    .derive = derive,
                    .backward = backward,
                    .gradient_why = "The shares of all paths add up."};

}  // namespace attn::ops
