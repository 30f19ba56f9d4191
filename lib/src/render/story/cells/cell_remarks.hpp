// Remarks beside the arithmetic of a cell: why its step exists, what is given.
#pragma once

#include <optional>
#include <string>

#include "render/story/cells/worked_cell.hpp"

namespace attn {

// What is said beside the arithmetic of a cell. All return an empty string if there is nothing to
// say.

/// Why a step exists: what it does in this trace or, with `cell`, to that cell.
std::string why_text(const Trace& trace, const Step& step, std::optional<Cell> cell);

/// What a given number is: "given"; the row of the embedding table; of a mask, that it hides
/// nothing there.
std::string given_text(const Step& step, const Cell& cell);

/// Where the given numbers in the arithmetic are: `row "cat" of X and column q0 of W_q are given`.
std::string givens_text(const Trace& trace, const CellOrigin& origin);

}  // namespace attn
