// Text that cannot become markup.
#pragma once

#include <string>
#include <string_view>

#include "attn/tool/text.hpp"

namespace attn {

/// `text` as a JSON string that may be inside a script element: "<" is \u003c.
std::string page_string(std::string_view text);

/// Base64 (RFC 4648).
std::string base64(std::string_view bytes);

}  // namespace attn
