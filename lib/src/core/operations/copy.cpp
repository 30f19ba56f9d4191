// Its input, unchanged: a projection without its weights.
#include "core/operations/operations.hpp"
#include "core/operations/shape_rules.hpp"

namespace attn::ops {

const Operation copy{
    .name = "copy",
    .formula = "{0}",
    .shape_rule = kLikeInput,
    .evaluate = [](const Call& call) { return call[0]; },
    .derive = [](const Call& call, const Cell& cell) { return leaf(call[0], 0, cell); },
    .copies = true,
    .backward = [](const Differentiated& step) -> std::vector<Share> {
      return {{0, &copy, {step.gradient}}};
    },
    .gradient_why = "A copy, or a term of a sum, passes on the whole gradient."};

}  // namespace attn::ops
