// Text that cannot become markup.
#pragma once

#include <string>
#include <string_view>

#include "attn/render/text.hpp"

namespace attn {

/// Prose that is never broken inside what is to be typed: options, "attn help". With `at_dots` it
/// may also be broken between the parts of an id.
std::string html_prose(std::string_view text, bool at_dots = false);

/// Text with names in it. Those in Hebrew or Arabic are set off (U+2068 … U+2069), so that what is
/// beside them keeps its place: "A[…, …]" has its row first.
std::string html_names(std::string_view text);

/// `text` as a JSON string that may be inside a script element: "<" is \u003c.
std::string page_string(std::string_view text);

/// Base64 (RFC 4648).
std::string base64(std::string_view bytes);

}  // namespace attn
