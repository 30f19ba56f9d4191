// Compares rows and columns, lets batch and heads spread, and gives the shape of the result.
#include "core/operations/shape_rules.hpp"

#include <algorithm>

namespace attn::ops {

bool spreads_to(const Shape& part, const Shape& whole) {
  return (!part.batch || part.batch == whole.batch) && (!part.heads || part.heads == whole.heads);
}

MaybeShape like_input(Shapes in, const Parameters&, const Shape&) { return in[0]; }

MaybeShape cells_meet(Shapes in, const Parameters&, const Shape&) {
  const bool fits = std::all_of(in.begin(), in.end(), [&](const Shape& each) {
    return each.rows == in[0].rows && each.cols == in[0].cols && spreads_to(each, in[0]);
  });
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

MaybeShape row_numbers_meet(Shapes in, const Parameters&, const Shape&) {
  const bool fits = in[1].rows == in[0].rows && in[1].cols == 1 && spreads_to(in[1], in[0]);
  return fits ? MaybeShape(in[0]) : std::nullopt;
}

MaybeShape one_column(Shapes in, const Parameters&, const Shape&) { return column_of(in[0]); }

}  // namespace attn::ops
