// Reads a file that may be anything; a link is taken as it is, and a name of a device is none.
#include "platform/regular_file.hpp"

#include <windows.h>

#include <array>

#include "files/files.hpp"
#include "platform/windows/names.hpp"

namespace attn::app {

std::string regular_bytes(const std::filesystem::path& path, std::size_t most,
                          std::string& broken) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  constexpr DWORD kAsItIs = FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS;
  void* const file =
      CreateFileW(path.c_str(), GENERIC_READ, kShared, nullptr, OPEN_EXISTING, kAsItIs, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    broken = "it cannot be read: " + system_reason(last_error());
    return "";
  }
  constexpr DWORD kOther = FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DIRECTORY;
  BY_HANDLE_FILE_INFORMATION info{};
  LARGE_INTEGER size{};
  std::string bytes;
  if (GetFileType(file) != FILE_TYPE_DISK || GetFileInformationByHandle(file, &info) == 0 ||
      (info.dwFileAttributes & kOther) != 0 || GetFileSizeEx(file, &size) == 0) {
    broken = "it is not a regular file";
  } else if (static_cast<std::size_t>(size.QuadPart) > most) {
    broken = "it is larger than " + std::to_string(most >> 20) + " MiB";
  } else {
    bytes.resize(static_cast<std::size_t>(size.QuadPart));
    DWORD taken = 0;
    if (ReadFile(file, bytes.data(), static_cast<DWORD>(bytes.size()), &taken, nullptr) == 0)
      broken = "it cannot be read: " + system_reason(last_error());
    bytes.resize(taken);
  }
  CloseHandle(file);
  return bytes;
}

bool names_device(const std::string& path) {
  std::array<wchar_t, MAX_PATH> whole{};
  const DWORD size = GetFullPathNameW(wide(path).c_str(), whole.size(), whole.data(), nullptr);
  return size < whole.size() && std::wstring(whole.data()).starts_with(LR"(\\.\)");
}

}  // namespace attn::app
