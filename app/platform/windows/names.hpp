// Names of files in the UTF-16 of Windows, and its errors as those of everybody else.
#pragma once

#include <string>

namespace attn::app {

/// UTF-8 as UTF-16.
std::wstring wide(const std::string& text);

/// UTF-16 as UTF-8; half a character becomes U+FFFD.
std::string utf8(const wchar_t* text);

/// The errno of what failed just now.
int last_error();

}  // namespace attn::app
