// Words that the reader and the writer of sheets share.
#pragma once

namespace attn {

inline constexpr const char* kSheetFormat = "attn.sheet";
inline constexpr const char* kBug = "bug";  ///< key of the answer to "find the bug", and its points

}  // namespace attn
