// Maps a file into memory. As long as it is mapped, Windows lets nobody cut it short.
#include "platform/mapped_file.hpp"

#include <windows.h>

#include <filesystem>

#include "platform/windows/names.hpp"

namespace attn::app {

MappedFile::MappedFile(const std::string& path) : path_(path) {
  std::error_code failed;
  if (path == "-" || !std::filesystem::is_regular_file(path, failed)) return;
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  void* const file = CreateFileW(wide(path).c_str(), GENERIC_READ, kShared, nullptr, OPEN_EXISTING,
                                 FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return;
  LARGE_INTEGER size{};
  GetFileSizeEx(file, &size);
  // An empty file has no mapping.
  void* const mapping = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  CloseHandle(file);
  if (mapping == nullptr) return;
  start_ = static_cast<char*>(MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0));
  CloseHandle(mapping);  // the view keeps it
  if (start_ != nullptr) bytes_ = {start_, static_cast<std::size_t>(size.QuadPart)};
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) UnmapViewOfFile(start_);
}

void MappedFile::give_back() const {}  // Windows takes pages back when it needs them

void MappedFile::require_whole() const {}

}  // namespace attn::app
