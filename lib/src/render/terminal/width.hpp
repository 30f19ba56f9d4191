// Characters and clusters of UTF-8 and their width in cells.
#pragma once

#include <cstddef>
#include <string_view>

#include "attn/render/text.hpp"

namespace attn {

/// What replaces bytes that are not UTF-8.
inline constexpr char32_t kReplacement = 0xFFFD;

/// One character of text, and how many bytes it takes.
struct CodePoint {
  char32_t code;      // kReplacement if the bytes are not UTF-8
  std::size_t bytes;  // at least 1
};

/// The first character of `text`, which must not be empty. Broken UTF-8 is taken in as few pieces
/// as the Unicode Standard recommends (section 3.9, maximal subparts).
CodePoint decode(std::string_view text);

/// What a reader sees as one character: a base with its marks, a flag, a joined emoji.
struct Cluster {
  std::string_view text;
  std::ptrdiff_t width;  // 0, 1 or 2 cells
};

/// The first cluster of `text`, which must not be empty.
Cluster first_cluster(std::string_view text, const Ruler& ruler = {});

/// Whether a character has no shape of its own but controls the text around it: line ends, ESC,
/// direction, zero-width space. Unicode Standard Annex 29, Grapheme_Cluster_Break = Control.
bool is_control(char32_t code);

}  // namespace attn
