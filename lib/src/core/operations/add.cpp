// A + B, cell by cell: positions to embeddings, a bias and a mask to scores.
#include <algorithm>

#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_add(const RowsCall& call) {
  const auto plus = [](double x, double y) { return x + y; };
  write_pairs(call, call[1], plus);
  for (std::size_t i = 2; i < call.inputs.size(); ++i) {
    for (Index r = 0; r < call.result.rows; ++r) {
      const auto sum = call.result.row(r);
      std::transform(sum.begin(), sum.end(), call[i].row(r).begin(), sum.begin(), plus);
    }
  }
}

Expression derive_add(const Call& call, const Cell& cell) {
  std::vector<Expression> terms;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    terms.push_back(leaf(call[i], static_cast<int>(i), cell));
  return sum(std::move(terms));
}

std::vector<Share> backward_add(const Differentiated& step) {
  std::vector<Share> shares;
  for (std::size_t i = 0; i < step.inputs.size(); ++i)
    shares.push_back({i, &copy, {step.gradient}});
  return shares;
}

}  // namespace

const Operation add{.name = "add",
                    .formula = "{0} + {1}[ + {2}][ + {3}][ + {4}][ + {5}][ + {6}][ + {7}]",
                    .shape_rule = {2, 8, kCellRule, cells_meet},
                    .write_rows = write_add,
                    .derive = derive_add,
                    .backward = backward_add,
                    .gradient_why = "The gradients of all paths are added."};

}  // namespace attn::ops
