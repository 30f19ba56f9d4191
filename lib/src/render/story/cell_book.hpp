// How the cells of a trace were made, as a document carries it.
#pragma once

#include <set>
#include <string>

#include "attn/cell_book.hpp"
#include "attn/explain.hpp"

namespace attn {

/// How every cell of the steps `ids` was made, if all that it was made from is in `sources`;
/// arithmetic with `precision` decimals in its constants.
CellBook cell_book(const Trace& trace, const std::set<std::string>& ids,
                   const std::set<std::string>& sources, int precision);

}  // namespace attn
