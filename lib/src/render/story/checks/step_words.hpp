// What became of a step, in words.
#pragma once

#include <string>
#include <vector>

#include "attn/check.hpp"

namespace attn {

/// How many cells have that verdict.
Index cells_with(const StepReport& step, CellVerdict verdict);

/// The sign of a step with that verdict.
CellVerdict sign_of(Verdict verdict);

/// Points, if wanted, then what is not right about its cells: "0.5 of 1 point, 2 blank".
std::string verdict_remark(const StepReport& step, bool points);

/// What fails, without the cause: "3 cells do not follow from S." `cells` are the wrong ones.
std::string failing_text(const Trace& truth, const StepReport& step,
                         const std::vector<Cell>& cells);

/// On an inverse sheet, how what is printed comes from what is asked: "S = Q·Kᵀ, A = softmax(S)".
/// Empty on all others, where nothing that is computed is printed without blanks.
std::string formulas_of_printed(const Trace& truth, const CheckReport& report);

}  // namespace attn
