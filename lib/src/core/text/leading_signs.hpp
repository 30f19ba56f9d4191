// What readers of typed numbers take off the front of a text.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace attn {

/// Takes spaces, tabs and line ends off the front.
inline void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
}

/// Takes spaces off the front and then the first of `signs` that is there; whether there was one.
inline bool take_sign(std::string_view& text, std::initializer_list<std::string_view> signs) {
  skip_spaces(text);
  for (const std::string_view sign : signs) {
    if (!text.starts_with(sign)) continue;
    text.remove_prefix(sign.size());
    return true;
  }
  return false;
}

}  // namespace attn
