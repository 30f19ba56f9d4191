// Which cells of a sheet are blank.
#pragma once

#include "attn/teach/exercise.hpp"
#include "core/tensor/integer_draws.hpp"
#include "teach/exercise/blindness.hpp"

namespace attn {

/// Chooses the blanks of the asked steps. For a share: first those in which the mistakes show, each
/// in two cells where that is possible, and differ from each other; then any, up to that share.
/// `listed`: the codes that count; none: all.
void choose_blanks(SheetModel& paper, const BlankRule& rule, const Suspects& suspects,
                   const std::vector<std::string>& listed, Draws& draws);

}  // namespace attn
