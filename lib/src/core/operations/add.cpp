// A + B, cell by cell: positions to embeddings, a bias and a mask to scores.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/slices.hpp"

namespace attn::ops {
namespace {

Tensor evaluate(const Call& call) {
  const auto plus = [](double x, double y) { return x + y; };
  Tensor y = by_cells(call[0], call[1], plus);
  return call.inputs.size() > 2 ? by_cells(std::move(y), call[2], plus) : y;
}

Expression derive(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    terms.push_back(leaf(call[i], static_cast<int>(i), cell));
  return sum(std::move(terms));
}

}  // namespace

const Operation add{.name = "add",
                    .formula = {"{0} + {1}[ + {2}]", "{0} + {1}[ + {2}]"},
                    .shape_rule = {2, 3, kCellRule, cells_meet},
                    .evaluate = evaluate,
                    .derive = derive};

}  // namespace attn::ops
