// How people read the name of a mask in stories and lessons.
#pragma once

#include <string>

#include "attn/language.hpp"

namespace attn {

/// What hides a cell that no mask with a name hides.
inline constexpr const char* kByMask = in_catalogue("a mask");
inline constexpr const char* kByBias = in_catalogue("the bias");

/// The name of a mask (Visibility::names) as the problem has it, "window:2"; one of the two above
/// in the language of the reader.
inline std::string mask_in_words(const std::string& name) {
  return name == kByMask || name == kByBias ? translated(name) : name;
}

}  // namespace attn
