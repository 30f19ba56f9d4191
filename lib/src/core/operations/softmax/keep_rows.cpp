// Rows set to zero where a column has 0: queries that are padding.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_keep_rows(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r) {
    const auto from = call[0].row(r);
    const auto to = call.result.row(r);
    const bool kept = call[1].row(r).front() != 0.0;
    for (std::size_t c = 0; c < to.size(); ++c) to[c] = kept ? from[c] : 0.0;
  }
}

Expression derive_keep_rows(const Call& call, const Cell& cell) {
  const bool kept = call[1].at({cell.batch, cell.head, cell.row, 0}) != 0.0;
  return kept ? leaf(call[0], 0, cell) : constant(0.0);
}

std::vector<Share> backward_keep_rows(const Differentiated& step) {
  return {{0, &keep_rows, {step.gradient, step.inputs[1]}}};
}

}  // namespace

const Operation keep_rows{.name = "keep_rows",
                          .formula = "{0}, padded queries zero",
                          .shape_rule = kByRows,
                          .write_rows = write_keep_rows,
                          .derive = derive_keep_rows,
                          .backward = backward_keep_rows,
                          .gradient_why = "Padded queries have no effect."};

}  // namespace attn::ops
