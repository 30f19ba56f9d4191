// One line of a file as an error shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "attn/render/text.hpp"

namespace attn {

/// A source line, or the part of it around a column, as it is shown.
struct SourceLine {
  std::string text;
  std::ptrdiff_t caret;  // how many cells come before the column
};

/// `line` in at most `room` cells (at least 24), cut around `column` (1-based, in characters) with
/// "…" on the cut sides. Tabs become four spaces, trailing blanks go, the rest is `visible`.
SourceLine show_line(std::string_view line, int column, std::ptrdiff_t room, bool ascii,
                     const Ruler& ruler = {});

/// How many cells of a line, as it is shown, lie between two of its columns; if they are thousands
/// apart, more than fit on a screen.
std::ptrdiff_t cells_between(std::string_view line, int from, int to, bool ascii,
                             const Ruler& ruler);

}  // namespace attn
