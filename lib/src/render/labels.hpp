#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// One label for each token, no two alike and none longer than `max_width` cells ("~" ends what was
/// cut, "…" without `ascii`). A repeated token, or one that looks like another after cutting, has
/// its position in front: "2:the", "8:the"; a label may be wider than asked to keep that. Tokens
/// without a visible edge are quoted: "''", "' the'".
std::vector<std::string> row_labels(std::span<const std::string> tokens,
                                    std::ptrdiff_t max_width = 12, bool ascii = false);

}  // namespace attn
