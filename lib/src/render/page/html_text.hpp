// Text that cannot become markup.
#pragma once

#include <string>
#include <string_view>

namespace attn {

/// `text` for HTML, also inside attributes in double quotes: & < > " as entities, and everything
/// that could change the direction of text or be invisible made visible.
std::string html_text(std::string_view text);

/// `text` as a JSON string that may be inside a script element: "<" is \u003c.
std::string page_string(std::string_view text);

/// Base64 (RFC 4648).
std::string base64(std::string_view bytes);

}  // namespace attn
