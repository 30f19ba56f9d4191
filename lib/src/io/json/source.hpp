// A text file in memory, and places in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "attn/error.hpp"

namespace attn {

/// A text file in memory: its name for messages, and its text in UTF-8 without byte order mark.
struct Source {
  std::string name;
  std::string text;
};

/// Decodes UTF-8 with or without byte order mark, and UTF-16 with one (Windows PowerShell's `>`
/// writes that). Throws Error (id "json-encoding") for bytes that are not text.
Source decode_source(std::string_view bytes, std::string name);

/// The place of byte `offset` of the text; an offset past the end is the end.
Place place_at(const Source& source, std::size_t offset, std::string pointer,
               std::string remark = "");

}  // namespace attn
