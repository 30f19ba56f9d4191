// Text, code and tables in Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "attn/document.hpp"
#include "attn/render/text.hpp"

namespace attn {

/// One line of text with every character escaped that could mean something in GitHub's Markdown or
/// in pandoc's, inside a line or at its start.
std::string markdown_words(std::string_view text);
std::string markdown_line(std::string_view text);

/// `text` as code, between as many backticks as it takes.
std::string markdown_code(const std::string& text);

/// A table of escaped cells, padded so that it can be read as it is.
std::string markdown_table(const Table& table, const Ruler& ruler);

}  // namespace attn
