// How the cells of a trace were made, as a document carries it.
#pragma once

#include <set>
#include <string>

#include "attn/render/cell_book.hpp"
#include "attn/render/explain.hpp"

namespace attn {

/// The cells of the steps `ids`, with how each was made if all inputs of its step are in `sources`.
CellBook cell_book(const Trace& trace, const std::set<std::string>& ids,
                   const std::set<std::string>& sources);

}  // namespace attn
