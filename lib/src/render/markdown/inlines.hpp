// Code, emphasis and links within a line of Markdown.
#pragma once

#include <string>
#include <string_view>

namespace attn {

/// Why a line of Markdown cannot be read.
struct MarkdownFault {
  std::string what;
};

/// The text without the signs of code, emphasis and links; "\*" is "*". Throws MarkdownFault.
std::string plain_inlines(std::string_view text);

/// Where the code that begins at `begin`, a backtick, ends: after its last one. Throws
/// MarkdownFault.
std::size_t code_end(std::string_view text, std::size_t begin);

/// Where the emphasis that begins at `begin`, with one asterisk or several, ends: after its last
/// one; npos if that asterisk begins none. Throws MarkdownFault.
std::size_t emphasis_end(std::string_view text, std::size_t begin);

}  // namespace attn
