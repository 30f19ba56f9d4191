// Words that the reader and the writer of sheets share.
#pragma once

namespace attn {

inline constexpr const char* kSheetFormat = "attn.sheet";
inline constexpr const char* kBug = "bug";  ///< its answer, and under `points` what that is worth

}  // namespace attn
