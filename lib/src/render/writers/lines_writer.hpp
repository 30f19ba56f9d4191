// Documents as lines that can be read aloud, and what they share with aligned text.
#pragma once

#include <string>
#include <vector>

#include "attn/writers.hpp"
#include "core/trace/text_pieces.hpp"

namespace attn {

/// The document for speech and braille: every row of a matrix is one line that reads as a sentence,
/// "query cat: the 0.434, cat 0.566, sat masked". No columns, never two spaces in a row.
void write_lines(const Document& document, const TextStyle& style, TextPieces& out);

/// Whether block `i` is a heading with another right below it.
bool is_lone_heading(const Document& document, std::size_t i);

/// Whether an empty line separates block `i` from what is above it. Matrices are apart in a
/// document of matrices alone, together below a heading, and apart from other text if they are of
/// no step; lone headings of steps are together too.
/// Nothing is apart from the heading of a section (level 2 or 3) that it is below.
bool begins_section(const Document& document, std::size_t i);

/// Whether any cell of the header has words.
bool has_header(const Table& table);

/// The rows of a table as words: "scores, S, shape: 5×5, min: 0.000, max: 5.000", with semicolons
/// where there are commas in them, and without bars. Rows that are parts of a row above begin with
/// its name: "h.0.norm1".
std::vector<std::string> rows_in_words(const Table& table);

}  // namespace attn
