// Numbers in a step that are too large to go on from.
#pragma once

#include <vector>

#include "attn/check.hpp"

namespace attn {

/// Which cells of a step hold one of several numbers that are not right, do not follow from what
/// `made` was computed from, and are larger than every right number of the step and of those that
/// it is made from. Such numbers, in queries or in scores, would make softmax 0 or 1 without any
/// work. A single one is a slip, unless it is ten times as large and not a right number with its
/// decimal point elsewhere; and where fewer than half of the blanks are right or follow, nothing is
/// earned by following, so that what is named may be a mistake in all of them. `written` and
/// `cells` are row-major, as `made` is; the result is empty if there are none.
std::vector<char> implausible_cells(const Trace& truth, const Step& step, NumberSpan written,
                                    const std::vector<CellVerdict>& cells, NumberSpan made);

}  // namespace attn
