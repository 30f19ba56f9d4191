// e^(sink − row maximum): what the sink adds to the sum of each row.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

void write_exp_sink(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r)
    call.result.row(r).front() = shifted_exp(*call[1].begin, call[0].row(r).front());
}

Expression derive_exp_sink(const Call& call, const Cell& cell) {
  return exponential(
      sum({leaf(call[1], 1, {0, cell.head, 0, 0}), negative(leaf(call[0], 0, cell))}));
}

std::vector<Share> backward_exp_sink(const Differentiated& step) {
  return {{1, &exp_sink_gradient, {step.gradient, step.id}}};  // the row maximum is a constant
}

MaybeShape exp_sink_shape(Shapes in, const Parameters&, const Shape&) {
  return in[0].cols == 1 && is_sink(in[1], in[0]) ? MaybeShape(in[0]) : std::nullopt;
}

std::size_t only_maxima(const Parameters&) { return 1; }

}  // namespace

const Operation exp_sink{.name = "exp_sink",
                         .formula = "e^({1} − {0})",
                         .shape_rule = {2, 2, kSinkRule, exp_sink_shape},
                         .write_rows = write_exp_sink,
                         .inputs_by_row = only_maxima,
                         .derive = derive_exp_sink,
                         .backward = backward_exp_sink};

}  // namespace attn::ops
