// Cells as people write them: STEP:ROW,COL.
#pragma once

#include <string>

#include "render/story/worked_cell.hpp"

namespace attn {

/// The cell that `text` means: "STEP:ROW,COL", or "ROW,COL" for the weights; step by id or symbol,
/// rows and columns by index or token. Head and batch entry are those of `view`, default 0.
/// Throws Error (usage) if there is no such cell.
StepCell read_address(const Trace& trace, const std::string& text, const View& view);

}  // namespace attn
