#pragma once

#include <optional>
#include <vector>

#include "attn/operation.hpp"

namespace attn {

using Shapes = std::vector<Shape>;
using MaybeShape = std::optional<Shape>;

/// How many inputs an operation takes, and the shape of what it makes of them: nothing if they do
/// not go together. `own` is the shape that the result is said to have; operations without inputs
/// take it as it is.
struct ShapeRule {
  Op op;
  std::size_t least, most;
  MaybeShape (*result)(const Shapes& inputs, const Parameters& parameters, const Shape& own);
  const char* blame = "/inputs";  ///< the field that is wrong if there is no result
};

const ShapeRule& shape_rule(Op op);

}  // namespace attn
