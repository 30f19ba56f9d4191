// The files of samples/lessons, compiled in.
#pragma once

#include <span>
#include <string_view>

namespace attn {

struct LessonFile {
  std::string_view name;  ///< "one-head"
  std::string_view text;
};

/// In teaching order.
std::span<const LessonFile> lesson_files();

}  // namespace attn
