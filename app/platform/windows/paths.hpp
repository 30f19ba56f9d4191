// Names of files as UTF-8 for std::filesystem.
// libstdc++ 12 writes them that way, but takes what it is given for letters of an old code page.
// The program includes this first everywhere; the library says std::u8string.
#pragma once

#include <filesystem>
#include <string_view>

/// What a path makes of narrow text.
template <>
inline auto std::filesystem::path::_S_convert<char>(const char* begin, const char* end) {
  return __detail::__wstr_from_utf8(std::string_view(begin, static_cast<std::size_t>(end - begin)));
}
