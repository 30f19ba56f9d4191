// Tables whose last column is prose, as text.
#pragma once

#include <string>
#include <string_view>

#include "attn/writers.hpp"

namespace attn {

/// The rows after `indent`, the prose in the column that needs the fewest lines. What is too long
/// for the space left of that column has a line of its own, with the prose below it; a command has
/// its prose in the same line where that fits. A table with a header that is too wide becomes
/// sentences.
std::string hanging_table(const Table& table, const TextStyle& style, std::string_view indent);

}  // namespace attn
