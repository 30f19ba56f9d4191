// e^(x − row maximum): numbers from 0 to 1, which cannot overflow.
#include <limits>

#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"
#include "core/tensor/exponential.hpp"

namespace attn::ops {
namespace {

void write_exp_shifted(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r)
    exponentials(call[0].row(r), call[1].row(r).front(), call.result.row(r));
}

Expression derive_exp_shifted(const Call& call, const Cell& cell) {
  if (call[0].at(cell) == -std::numeric_limits<double>::infinity()) return constant(0.0);
  const Cell row{cell.batch, cell.head, cell.row, 0};
  return exponential(sum({leaf(call[0], 0, cell), negative(leaf(call[1], 1, row))}));
}

std::vector<Share> backward_exp_shifted(const Differentiated& step) {
  // The row maximum is a constant: softmax is the same whatever is subtracted.
  return {{0, &multiply_elements, {step.gradient, step.id}}};
}

}  // namespace

const Operation exp_shifted{.name = "exp_shifted",
                            .formula = "e^({0} − {1})",
                            .shape_rule = kByRows,
                            .write_rows = write_exp_shifted,
                            .derive = derive_exp_shifted,
                            .backward = backward_exp_shifted};

}  // namespace attn::ops
