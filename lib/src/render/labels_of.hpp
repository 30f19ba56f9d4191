#pragma once

#include <string>

#include "core/axis_names.hpp"

namespace attn {

/// The position that `text` (a token or an index from 0) means among `names`. Throws Error (usage)
/// if there is none, or if several tokens are called so; `what` is "row", "query" …
Index position_of(const std::string& text, const AxisNames& names, const std::string& what);

/// "A[cat, the]", "Q_i[cat, q0] (head 1)": a cell as arithmetic names it.
std::string cell_name(const Trace& trace, const Step& step, const Cell& cell);

}  // namespace attn
