// Cells as people write them and as output prints them.
#pragma once

#include <string>

#include "render/story/cells/worked_cell.hpp"

namespace attn {

/// What an address means.
struct Address {
  StepCell place;
  bool names_step = true;  ///< otherwise it is a query and a key: a cell of the weights
  bool whole_row = false;  ///< the row of `place`, not the one cell
};

/// Reads "weights:cat,the", "A[cat, the]", "A[head 1][cat, the]", "head 1: A[cat, the]",
/// "Z[cat, z0] of head 1", with three indices "weights:1,0,2" (head, row, column), the row
/// "output:cat" or "O[cat]", the query and key "cat,the", and a number as it is shown, "0.601", if
/// one cell holds it. A step by id, symbol or number; rows and columns by index or token. `text`
/// may name the head and the batch entry; otherwise they are those of `view`, or the first that has
/// such a column, or 0. Throws Error (usage) if there is no such cell.
Address read_address(const Trace& trace, const std::string& text, View view);

}  // namespace attn
