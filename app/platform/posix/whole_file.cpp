// Writes a file beside its destination, and renames it once it is complete.
#include "platform/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "files/files.hpp"

namespace attn::app {
namespace {

/// Every file to remove if the program ends now. A signal may come between any two
/// instructions, so each change is one store.
std::atomic<WholeFile*> unfinished = nullptr;
static_assert(std::atomic<WholeFile*>::is_always_lock_free);

/// No signal arrives as long as it exists.
class Undisturbed {
 public:
  Undisturbed() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before_);
  }
  ~Undisturbed() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  sigset_t before_;
};

constexpr mode_t kOwner = 0600;

/// The permissions of the file that is replaced; without one, those that any new file gets. Throws
/// if nobody may write to it.
mode_t permissions_of(const std::string& path) {
  struct stat before {};
  if (stat(path.c_str(), &before) == 0) {
    if ((before.st_mode & 0222) == 0 || (access(path.c_str(), W_OK) != 0 && errno == EACCES))
      throw read_only(path);
    return before.st_mode & 0777;
  }
#ifdef __EMSCRIPTEN__
  const mode_t mask = 022;  // its umask is not one
#else
  const mode_t mask = umask(0);
  umask(mask);
#endif
  return 0666 & ~mask;
}

/// A pattern for a temporary name in the folder of `path`, which may be as long as names can be.
std::string beside(const std::string& path) {
  return path.substr(0, path.find_last_of('/') + 1) + ".attn-XXXXXX";
}

}  // namespace

void remove_unfinished() {
  for (const WholeFile* file = unfinished; file != nullptr; file = file->next_)
    unlink(file->beside_.c_str());
}

WholeFile::WholeFile(const std::string& path, Kind kind)
    : path_(path), beside_(beside(path)), kind_(kind) {
  const mode_t permissions = kind == Kind::Usual ? permissions_of(path) : kOwner;
  int error = 0;
  {
    const Undisturbed until_in_the_list;
    // Never an existing file, nor the target of a link of that name.
    descriptor_ = mkstemp(beside_.data());
    error = errno;
    next_ = unfinished.load();
    if (descriptor_ >= 0) unfinished = this;
  }
  if (descriptor_ < 0) throw cannot_write(path_, error);
  fchmod(descriptor_, permissions);
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!beside_.empty()) unlink(beside_.c_str());
  if (!old_.empty()) unlink(old_.c_str());
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
  if (kind_ == Kind::Salt) {
    const int fresh = open(path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kOwner);
    if (fresh < 0) throw cannot_write(path_, errno);
    ::close(fresh);
  } else {
    std::string old = beside_ + "~";
    if (link(path_.c_str(), old.c_str()) == 0) old_ = std::move(old);
  }
  const bool replaces = access(path_.c_str(), F_OK) == 0;
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    if (kind_ == Kind::Salt) unlink(path_.c_str());
    throw cannot_write(path_, error);
  }
  // A file that was replaced on a disk without links cannot come back.
  can_undo_ = !old_.empty() || !replaces || kind_ == Kind::Salt;
  beside_.clear();
}

void WholeFile::undo() noexcept {
  if (!can_undo_) return;
  if (old_.empty()) {
    unlink(path_.c_str());
  } else {
    std::rename(old_.c_str(), path_.c_str());
    old_.clear();
  }
}

void put_in_place(std::span<const std::unique_ptr<WholeFile>> files) {
  const Undisturbed until_all_are_done;
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
