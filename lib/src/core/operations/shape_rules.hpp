// Shape rules that several operations share.
#pragma once

#include <optional>

#include "attn/operation.hpp"

namespace attn::ops {

using MaybeShape = std::optional<Shape>;
using Shapes = std::span<const Shape>;

/// Whether a part with these leading axes broadcasts to the whole.
bool spreads_to(const Shape& part, const Shape& whole);

inline bool always(const Parameters&) { return true; }

/// The shape of one number for each row.
inline Shape column_of(const Shape& s) { return {s.batch, s.heads, s.rows, 1}; }

MaybeShape like_input(Shapes in, const Parameters&, const Shape&);
MaybeShape cells_meet(Shapes in, const Parameters&, const Shape&);
MaybeShape row_numbers_meet(Shapes in, const Parameters&, const Shape&);
MaybeShape one_column(Shapes in, const Parameters&, const Shape&);

inline constexpr const char* kCellRule = "All inputs have the same rows and columns.";
inline constexpr ShapeRule kLikeInput{1, 1, "The result has the shape of its input.", like_input};
inline constexpr ShapeRule kByCells{2, 2, kCellRule, cells_meet};
inline constexpr ShapeRule kByRows{2, 2, "The second has one number for each row of the first.",
                                   row_numbers_meet};
inline constexpr ShapeRule kOneColumn{1, 1, "The result has one number for each row.", one_column};

}  // namespace attn::ops
