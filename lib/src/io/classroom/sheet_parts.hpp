// Words that the reader and the writer of sheets share.
#pragma once

namespace attn {

inline constexpr const char* kSheetFormat = "attn.sheet";
inline constexpr const char* kBug = "bug";  ///< the answer, and its points, of "find the bug"

}  // namespace attn
