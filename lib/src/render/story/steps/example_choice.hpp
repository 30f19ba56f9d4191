// The query and the key that all worked cells follow.
#pragma once

#include <map>

#include "render/story/cells/worked_cell.hpp"

namespace attn {

/// One query and one key, so that a reader can carry the numbers from Q and K through the scores
/// and the weights to the output.
struct Pair {
  Index batch = 0, head = 0;
  Index query = 0, key = 0;
};

/// The pair that `view` names; otherwise, of those that it shows in a scope, the one that teaches
/// most: not hidden, a weight that no other key of the query has, few zeros, small numbers. At most
/// eight queries, and eight visible keys of each, are tried. Without weights, the first pair.
Pair choose_pair(const Trace& trace, const Scope& scope, const View& view);

/// For each computed step of a scope, the cell of the pair: if possible, one that appears in the
/// arithmetic of the cells of later steps. None for steps whose arithmetic has no numbers.
using ExampleCells = std::map<const Step*, Cell>;
ExampleCells cells_of_pair(const Trace& trace, const Scope& scope, const Pair& pair);

/// A cell that a step hides, of the pair's query if possible.
std::optional<Cell> hidden_cell(const Trace& trace, const Step& step, const Pair& pair);

}  // namespace attn
