// Shape rules that several operations share.
#pragma once

#include <optional>

#include "attn/operation.hpp"

namespace attn::ops {

using MaybeShape = std::optional<Shape>;
using Shapes = Operation::Shapes;

/// Whether a part with these leading axes broadcasts to the whole.
bool spreads_to(const Shape& part, const Shape& whole);

/// The shape of the first input, whatever it is.
MaybeShape like_first(Shapes in, const Parameters&, const Shape&);
/// Cell by cell: every input has the rows and columns of the first.
MaybeShape by_cells(Shapes in, const Parameters&, const Shape&);
/// Row by row: the second input has one number for each row of the first.
MaybeShape by_rows(Shapes in, const Parameters&, const Shape&);
/// One number for each row of the input.
MaybeShape one_column(Shapes in, const Parameters&, const Shape&);

inline constexpr const char* kSameShape = "The result has the shape of its input.";
inline constexpr const char* kByCells = "Both have the same rows and columns.";
inline constexpr const char* kByRows = "The second has one number for each row of the first.";
inline constexpr const char* kOneColumn = "The result has one number for each row.";

}  // namespace attn::ops
