// Asks Windows to change encodings.
#include "platform/windows/names.hpp"

#include <windows.h>

#include <filesystem>
#include <system_error>

namespace attn::app {

std::wstring wide(const std::string& text) { return std::filesystem::path(text).wstring(); }

std::string utf8(const wchar_t* text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string bytes(size > 0 ? static_cast<std::size_t>(size) : 1, '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes.data(), size, nullptr, nullptr);
  bytes.pop_back();  // the zero at the end
  return bytes;
}

int last_error() {
  const std::error_code error(static_cast<int>(GetLastError()), std::system_category());
  return error.default_error_condition().value();
}

}  // namespace attn::app
