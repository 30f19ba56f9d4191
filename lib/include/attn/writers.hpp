#pragma once

#include <cstddef>
#include <string>

#include "attn/document.hpp"

namespace attn {

/// How text output looks.
struct TextStyle {
  bool ascii = false;  ///< 7-bit characters only
  std::ptrdiff_t width =
      80;  ///< headlines, prose and arithmetic keep to it; matrices are never cut
};

/// The document as aligned text, every line ended by "\n" and without trailing spaces.
std::string write_text(const Document& document, const TextStyle& style = {});

}  // namespace attn
