// An input: nothing computes it.
#include "core/operations/operations.hpp"

namespace attn::ops {
namespace {

constexpr ParameterField kGivenFields[] = {
    {.name = "looked_up",
     .kind = ParameterField::Kind::Flag,
     .summary = "whether each row is that of its token in the problem's embedding_table",
     .required = false}};

}  // namespace

const Operation given{.name = "given",
                      .formula = "",
                      .shape_rule = {0, 0, "It has the shape in which it was given.",
                                     [](std::span<const Shape>, const Parameters&,
                                        const Shape& own) { return std::optional<Shape>(own); }},
                      .evaluate = nullptr,
                      .derive = nullptr,
                      .fields = kGivenFields,
                      .gradient_why = "The walk backwards starts here."};

}  // namespace attn::ops
