// Remarks beside the arithmetic of a cell: why it is hidden, what is given.
#pragma once

#include <optional>
#include <string>

#include "render/story/cells/worked_cell.hpp"

namespace attn {

// What is said beside the arithmetic of a cell. All return an empty string if there is nothing to
// say.

inline constexpr const char* kPaddedQuery = "this query is padding";

/// Why a step exists: what it does in this trace or, with `cell`, to that cell.
std::string why_text(const Trace& trace, const Step& step, std::optional<Cell> cell);

/// Why a cell is hidden: "hidden by causal: the key comes later", or kPaddedQuery; where the fill
/// leaves the key some weight, "masked by causal, but still given some weight".
std::string hidden_text(const Trace& trace, const Step& step, const Cell& cell);

/// The same with the cell by name: "causal hides M[cat, dreams]: the key comes later".
std::string hides_text(const Trace& trace, const Step& step, const Cell& cell);

/// In sentences, why a cell is hidden, with the positions of query and key.
std::string why_hidden(const Trace& trace, const Step& step, const Cell& cell);

/// What a given number is: "given"; the row of the embedding table; of a mask, that it hides
/// nothing there.
std::string given_text(const Step& step, const Cell& cell);

/// The keys that a sum over all keys leaves out, "3 of 5 keys hidden by causal", and those that a
/// mask covers but that still get some weight.
std::string hidden_keys_text(const Trace& trace, const Step& step, const Cell& cell);

/// Where the given numbers in the arithmetic are: `row "cat" of X and column q0 of W_q are given`.
std::string givens_text(const Trace& trace, const CellOrigin& origin);

}  // namespace attn
