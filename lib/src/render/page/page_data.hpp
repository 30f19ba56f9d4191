// How the cells of a page were made, as the JSON that its script reads.
#pragma once

#include <string>

#include "attn/document.hpp"

namespace attn {

/// {"precision", "steps": [{"id", "name", "title", "shape", "rows", "cols", "inputs", "patterns",
/// "kvHeads", "pattern", "parts", "remarks", "remark", "rounded", "hidden", "numbers"}],
/// "unmasked": [the same]}. An axis of size 0 is absent; −∞ is null, ∞ "inf", NaN "nan". A pattern
/// is a number, {"text", "value"}, [input, row, column, batch, head], [operation, part …], or
/// {"replaces": one of those}. "kvHeads", "pattern", "parts", "rounded", "hidden", and "remark"
/// with "remarks", are left out where they are false, 0 or empty for all cells of a step; the
/// number of a pattern or remark that all cells share is given once.
std::string page_data(const Document& document);

}  // namespace attn
