#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// The text in lines broken at spaces, of at most `first` and then `others` cells; a longer word
/// stays whole. Always at least one line.
std::vector<std::string> wrapped(std::string_view text, std::ptrdiff_t first,
                                 std::ptrdiff_t others);

}  // namespace attn
