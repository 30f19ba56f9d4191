// Text without its colours.
#pragma once

#include <string>
#include <string_view>

namespace attn::testing {

/// `text` without the sequences that colour it (ESC [ … m), and without the spaces that coloured
/// cells leave at the ends of lines.
inline std::string without_colors(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const bool escape = text.substr(at, 2) == "\x1b[";
    const std::size_t end = escape ? text.find('m', at) : at;
    while (!escape && text[at] == '\n' && plain.ends_with(' ')) plain.pop_back();
    if (!escape) plain += text[at];
    at = end == text.npos ? text.size() : end + 1;
  }
  return plain;
}

}  // namespace attn::testing
