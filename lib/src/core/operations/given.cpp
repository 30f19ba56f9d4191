// An input: nothing computes it.
#include "core/operations/operations.hpp"

namespace attn::ops {

const Operation given{.name = "given",
                      .formula = {"", ""},
                      .least_inputs = 0,
                      .most_inputs = 0,
                      .rule = "It has the shape in which it was given.",
                      .evaluate = nullptr,
                      .derive = nullptr,
                      .shape = [](Operation::Shapes, const Parameters&, const Shape& own) {
                        return std::optional<Shape>(own);
                      }};

}  // namespace attn::ops
