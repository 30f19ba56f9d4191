// Rows, columns and cells by name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/trace/axis_names.hpp"

namespace attn {

/// The position that `text` means among `names`: a token, an index from 0, or both as repeated
/// tokens are shown ("2:the"); "2:" is an index even if some token is "2". Nothing if there is
/// none, or if several tokens have that name.
std::optional<Index> find_position(const std::string& text, const AxisNames& names);

/// The same, but throws Error (usage) instead of returning nothing. `what` is "row", "query" …
Index position_of(const std::string& text, const AxisNames& names, const std::string& what);

/// "5 rows (query)", "5 columns (key)"; "1 row", "1 column", if that is all there is to say.
std::string rows_text(const Step& step);
std::string columns_text(const Step& step);

/// A row or column as labels name it: "cat", "2:the" if the token occurs more than once, "q0".
std::string row_label(const Step& step, const Cell& cell);
std::string col_label(const Step& step, const Cell& cell);

/// A row or column in a sentence: "\"cat\"", "\"2:the\"" if the token occurs more than once, "q0".
std::string quoted_row(const Step& step, const Cell& cell);
std::string quoted_col(const Step& step, const Cell& cell);

/// What arithmetic calls a step: its symbol; in a model its id, because layers share symbols.
std::string step_name(const Step& step);

/// Whether all cells are in the same place along `axis`: in the same row, for example.
bool are_alike(const std::vector<Cell>& cells, Index Cell::*axis);

/// "A[cat, the]", "m[cat]": a cell as arithmetic names it.
std::string cell_name(const Step& step, const Cell& cell);

/// "O[cat]": the row of a cell.
std::string row_name(const Step& step, const Cell& cell);

/// Cells by what they have in common: "Q[cat, q0]", "Q[cat, …]", "W_q[…, q0]", "Q".
std::string cells_name(const Step& step, const std::vector<Cell>& cells);

}  // namespace attn
