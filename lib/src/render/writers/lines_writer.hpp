#pragma once

#include <string>
#include <vector>

#include "attn/writers.hpp"

namespace attn {

/// The document for ears and fingers: every row of a matrix is one line that reads like a sentence,
/// "query cat: the 0.434, cat 0.566, sat masked." No columns, never two spaces in a row.
std::string write_lines(const Document& document, const TextStyle& style);

/// A row of a table as words: "scores, S, shape 5×5, min 0.000, max 5.000".
std::string sentence(const Table& table, const std::vector<std::string>& row);

}  // namespace attn
