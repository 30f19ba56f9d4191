// Tables that have no room as they are.
#pragma once

#include <vector>

#include "attn/writers.hpp"

namespace attn {

/// A table whose columns are alike as several of at most `room` cells, each with the first column
/// and some of the others; any other table, or one that fits, as it is.
std::vector<Table> table_blocks(const Table& table, const TextStyle& style, std::ptrdiff_t room);

/// The table without the columns that draw what others say.
Table without_bars(const Table& table);

}  // namespace attn
