// Writes a file beside its destination, and moves it there once it is complete.
#include "platform/whole_file.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <sddl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

#include "files/files.hpp"
#include "platform/windows/names.hpp"

namespace attn::app {
namespace {

/// Every file to remove if the program ends now, and who may change the list: Ctrl-C is answered in
/// a thread of its own.
std::atomic<WholeFile*> unfinished = nullptr;
std::recursive_mutex changing;
using Undisturbed = std::lock_guard<std::recursive_mutex>;

/// A name that no other program chooses, in the folder of `path`.
std::string beside(const std::string& path, unsigned attempt) {
  const auto folder = std::filesystem::path(path).parent_path();
  const std::string number = std::to_string(GetCurrentProcessId()) + "-" + std::to_string(attempt);
  return (folder / (".attn-" + number)).string();
}

/// Throws if nobody may write to the file that is replaced.
void require_writable(const std::string& path) {
  const DWORD attributes = GetFileAttributesW(wide(path).c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0)
    throw read_only(path);
}

/// The user who runs the program, as S-1-5-….
std::wstring own_id() {
  void* token = nullptr;
  if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) == 0) return L"OW";  // the owner
  alignas(TOKEN_USER) std::array<char, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
  DWORD size = user.size();
  wchar_t* id = nullptr;
  const bool known =
      GetTokenInformation(token, TokenUser, user.data(), size, &size) != 0 &&
      ConvertSidToStringSidW(reinterpret_cast<TOKEN_USER*>(user.data())->User.Sid, &id) != 0;
  std::wstring text = known ? id : L"OW";
  LocalFree(id);
  CloseHandle(token);
  return text;
}

/// Creates a file of that name unless there is one. Returns its descriptor, or -1.
int created(const std::string& path, bool secret) {
  SECURITY_ATTRIBUTES rights{sizeof rights, nullptr, FALSE};
  if (secret) {
    const std::wstring own_only = L"D:P(A;;FA;;;" + own_id() + L")";
    if (ConvertStringSecurityDescriptorToSecurityDescriptorW(
            own_only.c_str(), SDDL_REVISION_1, &rights.lpSecurityDescriptor, nullptr) == 0) {
      errno = EACCES;  // rather no file than one that others can read
      return -1;
    }
  }
  constexpr DWORD kMayBeRemoved = FILE_SHARE_READ | FILE_SHARE_DELETE;
  void* const file = CreateFileW(wide(path).c_str(), GENERIC_WRITE, kMayBeRemoved, &rights,
                                 CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) errno = last_error();
  if (secret) LocalFree(rights.lpSecurityDescriptor);
  if (file == INVALID_HANDLE_VALUE) return -1;
  return _open_osfhandle(reinterpret_cast<std::intptr_t>(file), _O_BINARY);
}

/// Gives `to` the permissions of `from`, if there is such a file.
void copy_permissions(const std::wstring& from, const std::wstring& to) {
  constexpr SECURITY_INFORMATION kWho = DACL_SECURITY_INFORMATION;
  DWORD size = 0;
  GetFileSecurityW(from.c_str(), kWho, nullptr, 0, &size);
  std::vector<char> rights(size);
  if (size > 0 && GetFileSecurityW(from.c_str(), kWho, rights.data(), size, &size) != 0)
    SetFileSecurityW(to.c_str(), kWho, rights.data());
}

/// Throws if another program has the file open so that nobody may replace it.
void require_free(const std::string& path) {
  constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  void* const file = CreateFileW(wide(path).c_str(), DELETE, kShared, nullptr, OPEN_EXISTING,
                                 FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION) {
    throw file_error("cannot-write", "\"" + path + "\" is open in another program",
                     "Close it there, or choose another name.");
  }
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
}

void remove_file(const std::string& path) { DeleteFileW(wide(path).c_str()); }

}  // namespace

/// The lock is kept: nothing more is written before the program ends.
void remove_unfinished() {
  changing.lock();
  for (const WholeFile* file = unfinished; file != nullptr; file = file->next_)
    remove_file(file->beside_);
}

WholeFile::WholeFile(const std::string& path, Kind kind) : path_(path), kind_(kind) {
  if (kind == Kind::Usual) require_writable(path);
  const Undisturbed until_in_the_list(changing);
  for (unsigned attempt = 0; descriptor_ < 0; ++attempt) {
    beside_ = beside(path, attempt);
    descriptor_ = created(beside_, kind != Kind::Usual);
    if (descriptor_ < 0 && errno != EEXIST) throw cannot_write(path_, errno);
  }
  if (kind == Kind::Usual) copy_permissions(wide(path), wide(beside_));
  next_ = unfinished.load();
  unfinished = this;
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) _close(descriptor_);
  const Undisturbed until_out_of_the_list(changing);
  if (!beside_.empty()) remove_file(beside_);
  if (!old_.empty()) remove_file(old_);
  std::atomic<WholeFile*>* at = &unfinished;
  while (*at != this) at = &at->load()->next_;
  *at = next_.load();
}

void WholeFile::write(std::string_view bytes) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 24;
  size_ += bytes.size();
  while (!bytes.empty()) {
    const auto count = static_cast<unsigned>(std::min(bytes.size(), kAtOnce));
    const int taken = _write(descriptor_, bytes.data(), count);
    if (taken < 0) throw cannot_write(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
}

void WholeFile::close() {
  if (_close(std::exchange(descriptor_, -1)) != 0) throw cannot_write(path_, errno);
}

void WholeFile::put_in_place() {
  const std::wstring from = wide(beside_), to = wide(path_);
  const bool replaces = GetFileAttributesW(to.c_str()) != INVALID_FILE_ATTRIBUTES;
  if (replaces) require_free(path_);  // as nobody may remove another link of it either
  const std::string old = beside_ + "~";
  if (replaces && CreateHardLinkW(wide(old).c_str(), to.c_str(), nullptr) != 0) old_ = old;
  const DWORD how = kind_ == Kind::Salt ? 0 : MOVEFILE_REPLACE_EXISTING;
  if (MoveFileExW(from.c_str(), to.c_str(), how | MOVEFILE_WRITE_THROUGH) == 0)
    throw cannot_write(path_, last_error());
  // A file that was replaced on a disk without links cannot come back.
  can_undo_ = !old_.empty() || !replaces;
  beside_.clear();
}

void WholeFile::undo() noexcept {
  if (!can_undo_) return;
  if (old_.empty()) {
    remove_file(path_);
  } else {
    MoveFileExW(wide(old_).c_str(), wide(path_).c_str(), MOVEFILE_REPLACE_EXISTING);
    old_.clear();
  }
}

void put_in_place(std::span<const std::unique_ptr<WholeFile>> files) {
  const Undisturbed until_all_are_done(changing);
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      if (files[i] != nullptr) files[i]->put_in_place();
    } catch (...) {
      while (i-- > 0) {
        if (files[i] != nullptr) files[i]->undo();
      }
      throw;
    }
  }
}

}  // namespace attn::app
