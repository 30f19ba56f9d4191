// Markdown as a Document: pages of help, and other text that is compiled in.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "attn/document.hpp"

namespace attn {

/// The blocks in place of a line `<!-- TEXT -->`, perhaps none; nullopt if the text means nothing.
using InsertBlocks = std::function<std::optional<std::vector<Block>>(const std::string& text)>;

/// What cannot be read, and the line that it is on.
struct MarkdownError : std::invalid_argument {
  MarkdownError(int at, const std::string& what);
  int line;
  std::string fault;
};

/// Headings (Title), paragraphs, "- " lists, tables and ``` code. A list item that begins with bold
/// text has that as its term. The last column of a table of words is prose; if its first column
/// holds only code, these are commands. Of code, emphasis and links in a line, the text remains.
/// Throws MarkdownError for all other Markdown: quotations, numbered
/// and nested lists, rules, pictures, HTML.
Document read_markdown(std::string_view text, const InsertBlocks& insert = {});

}  // namespace attn
