// Cells worked out: how each was made.
#pragma once

#include <string>
#include <vector>

#include "attn/render/explain.hpp"

namespace attn {

/// One cell of one step.
struct StepCell {
  const Step* step;
  Cell cell;
};

/// Where a number was computed or given: operations that only move numbers are followed.
struct CellOrigin {
  std::vector<StepCell> copies;  ///< the cell itself, then what it is a copy of; never empty
  Expression how;                ///< how the last of them came about
};
CellOrigin origin_of(const Trace& trace, const Step& step, const Cell& cell);

/// Whether the heads of a step are key/value heads, each for several query heads.
bool has_kv_heads(const Step& step);

/// "head 1", "kv head 0" for a step that has heads; empty for others.
std::string head_text(const Step& step, const Cell& cell);

/// How `origin` came about and, if it is hidden, why. A cell of a head other than `head`, the
/// head_text that the reader has in mind, is named with its head: "Z[cat, z1] of head 1".
Worked worked_cell(const Trace& trace, const CellOrigin& origin, std::string head);

}  // namespace attn
