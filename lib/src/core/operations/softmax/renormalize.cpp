// Each row divided by its sum, so that it adds up to 1 again.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/rows.hpp"

namespace attn::ops {
namespace {

void write_renormalize(const RowsCall& call) {
  for (Index r = 0; r < call.result.rows; ++r)
    divide(call[0].row(r), sum_of(call[0].row(r)), call.parameters, call.result.row(r));
}

Expression derive_renormalize(const Call& call, const Cell& cell) {
  Expression total = sum(row_leaves(call[0], cell));
  if (total.value == 0.0) return empty_weight(call.parameters, call[0].cols());
  return quotient(leaf(call[0], 0, cell), std::move(total));
}

constexpr ParameterField kRenormalizeFields[] = {kEmptyRowField};

std::vector<Share> backward_renormalize(const Differentiated& step) {
  return {{0, &renormalize_gradient, {step.gradient, step.id, step.inputs[0]}}};
}

}  // namespace

const Operation renormalize{.name = "renormalize",
                            .formula = "{0} / row sums",
                            .shape_rule = kLikeInput,
                            .write_rows = write_renormalize,
                            .derive = derive_renormalize,
                            .fields = kRenormalizeFields,
                            .sums_over_keys = always,
                            .backward = backward_renormalize};

}  // namespace attn::ops
