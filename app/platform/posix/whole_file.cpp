// Writes a file beside its destination, and renames it once it is complete.
#include "platform/whole_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "files/files.hpp"

namespace attn::app {
namespace {

/// Every file to remove if the program ends now. A signal may come between any two
/// instructions, so each change is one store.
std::atomic<WholeFile*> unfinished = nullptr;
static_assert(std::atomic<WholeFile*>::is_always_lock_free);

/// The permissions of the file that is replaced; without one, those that any new file gets.
mode_t permissions_of(const std::string& path) {
  struct stat before {};
  if (stat(path.c_str(), &before) == 0) return before.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void remove_unfinished() {
  for (const WholeFile* file = unfinished; file != nullptr; file = file->next_)
    unlink(file->beside_.c_str());
}

WholeFile::WholeFile(const std::string& path) : path_(path), beside_(path + ".attn-XXXXXX") {
  // No signal may come between a file and its entry in the list.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  // Never an existing file, nor the target of a link of that name.
  descriptor_ = mkstemp(beside_.data());
  const int error = errno;
  next_ = unfinished.load();
  if (descriptor_ >= 0) unfinished = this;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  if (descriptor_ < 0) throw cannot_write(path_, error);
  fchmod(descriptor_, permissions_of(path_));
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!beside_.empty()) unlink(beside_.c_str());
  std::atomic<WholeFile*>* at = &unfinished;
  while (*at != this) at = &at->load()->next_;
  *at = next_.load();
}

void WholeFile::write(std::string_view bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    const ssize_t taken = ::write(descriptor_, bytes.data(), bytes.size());
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) throw cannot_write(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
}

void WholeFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) throw cannot_write(path_, errno);
}

void WholeFile::put_in_place() {
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) throw cannot_write(path_, errno);
  beside_.clear();
}

}  // namespace attn::app
