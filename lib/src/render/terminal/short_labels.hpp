// Labels of rows and columns, no two alike.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attn/render/text.hpp"
#include "attn/writers.hpp"

namespace attn {

/// Wider than any label: nothing is cut.
inline constexpr std::ptrdiff_t kUncut = 1 << 20;

/// A token as a label shows it: control characters escaped, and in quotes if its edges are not
/// visible: "''", "' the'".
std::string shown_token(const std::string& token, bool ascii = false);

/// What ends text that was cut: "~" in 7-bit characters, "…" otherwise.
std::string_view ellipsis(bool ascii);

/// One label for each token, no two alike. The label of a repeated token, or of one that looks like
/// another after cutting, begins with its position: "2:the", "8:the". Labels wider than `max_width`
/// cells are cut, but never their position.
std::vector<std::string> token_labels(std::span<const std::string> tokens,
                                      std::ptrdiff_t max_width = 12, bool ascii = false,
                                      const Ruler& ruler = {});

/// The labels of rows or columns: those of tokens as token_labels makes them; other names are not
/// cut.
std::vector<std::string> axis_labels(const std::vector<std::string>& names, bool tokens,
                                     std::ptrdiff_t most, const TextStyle& style);

/// Cells of the widest of them.
std::ptrdiff_t widest(const std::vector<std::string>& texts, const Ruler& ruler);

}  // namespace attn
