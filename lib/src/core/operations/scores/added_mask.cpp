// What is added to scores to hide them: 0 where the mask is 1, the fill where it is 0.
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {
namespace {

void write_added_mask(const RowsCall& call) {
  const double fill = call.parameters.number("fill");
  write_cells(call, [=](double mask) { return mask == 0.0 ? fill : 0.0; });
}

Expression derive_added_mask(const Call& call, const Cell& cell) {
  return constant(call[0].at(cell) == 0.0 ? call.parameters.number("fill") : 0.0);
}

constexpr ParameterField kAddedMaskFields[] = {
    {.name = "fill", .kind = ParameterField::Kind::Real, .summary = "what hides a score"}};

}  // namespace

const Operation added_mask{.name = "added_mask",
                           .formula = "{fill} where {0} = 0, else 0",
                           .shape_rule = kLikeInput,
                           .write_rows = write_added_mask,
                           .derive = derive_added_mask,
                           .fields = kAddedMaskFields};

}  // namespace attn::ops
