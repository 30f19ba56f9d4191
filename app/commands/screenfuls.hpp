// Text in pieces that fit on a screen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn::app {

/// Cuts text at blank lines, so that each piece and two lines for a prompt fit into `height` lines.
/// The last piece is as long as possible: a question at its end is about what is above it. `above`
/// lines are on the screen already and belong to the first piece. A height of 0: one piece.
std::vector<std::string> screenfuls(std::string_view text, std::ptrdiff_t height,
                                    std::ptrdiff_t above = 0);

}  // namespace attn::app
