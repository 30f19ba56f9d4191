// Writes beside the place of a file, and renames when all is there.
#include "files/whole_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "files/files.hpp"

namespace attn::app {
namespace {

/// Every file that has to go if the program ends now. A signal may come between any two
/// instructions, so each change is one store.
std::atomic<WholeFile*> unfinished = nullptr;
static_assert(std::atomic<WholeFile*>::is_always_lock_free);

/// The permissions that a file has which is opened the usual way, or those of the one before.
mode_t permissions_of(const std::string& path) {
  struct stat before {};
  if (stat(path.c_str(), &before) == 0) return before.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

}  // namespace

/// Only calls that a handler of signals may make.
void remove_unfinished(int signal) {
  for (const WholeFile* file = unfinished; file != nullptr; file = file->next_)
    unlink(file->beside_.c_str());
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void remove_unfinished_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Who started us may have asked that it is ignored, as nohup does.
    if (std::signal(signal, remove_unfinished) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

WholeFile::WholeFile(const std::string& path) : path_(path), beside_(path + ".attn-XXXXXX") {
  // Never a file that is there already, nor what a link of that name leads to.
  descriptor_ = mkstemp(beside_.data());
  if (descriptor_ < 0) throw cannot_write(path_, errno);
  next_ = unfinished.load();
  unfinished = this;
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
