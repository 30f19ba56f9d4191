// A text file in memory, and places in it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "attn/error.hpp"
#include "attn/io/shared_bytes.hpp"

namespace attn {

/// A text file in memory: its name for messages, and its text in UTF-8 without a byte order mark.
struct Source {
  std::string name;
  std::string_view text;
  std::shared_ptr<const void> owner = nullptr;  ///< of the text
};

/// Decodes UTF-8 with or without a byte order mark, and UTF-16 with one (Windows PowerShell's `>`
/// writes that). Bytes that are not text may become anything.
Source decode_leniently(const SharedBytes& bytes, std::string name);

/// The same, but throws Error (id "json-encoding") for bytes that are not text.
Source decode_source(const SharedBytes& bytes, std::string name);

/// The place of byte `offset` of the text; an offset past the end is the end.
Place place_at(const Source& source, std::size_t offset, std::string pointer,
               std::string remark = "");

}  // namespace attn
