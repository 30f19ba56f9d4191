// Maps a file into memory.
#include "platform/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "files/files.hpp"

namespace attn::app {
namespace {

/// All mappings, for the handler of SIGBUS: the system sends it when bytes are read that the file
/// no longer has.
std::atomic<MappedFile*> mappings = nullptr;
static_assert(std::atomic<MappedFile*>::is_always_lock_free);

}  // namespace

/// The handler of SIGBUS.
struct LostBytes {
  /// Puts zeros in place of the whole mapping, so that the read can go on to its end.
  static void replace_with_zeros(int signal, siginfo_t* info, void*) {
    const char* at = static_cast<const char*>(info->si_addr);
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    for (MappedFile* file = mappings; file != nullptr; file = file->next_) {
      const std::size_t size = file->bytes_.size();
      if (at < file->start_ || at >= file->start_ + size) continue;
      if (mmap(file->start_, size, PROT_READ, kFlags, -1, 0) == MAP_FAILED) break;
      file->lost_ = 1;
      return;
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
};

void MappedFile::survive_lost_bytes() {
  next_ = mappings.load();
  mappings = this;
  struct sigaction action {};
  action.sa_sigaction = LostBytes::replace_with_zeros;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

MappedFile::MappedFile(const std::string& path) : path_(path) {
  std::error_code failed;
  // A pipe is opened only once: a second reader would get nothing.
  const bool regular = path != "-" && std::filesystem::is_regular_file(path, failed);
  descriptor_ = regular ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  struct stat info {};
  if (descriptor_ >= 0 && fstat(descriptor_, &info) == 0 && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (start != MAP_FAILED) {
      start_ = static_cast<char*>(start);
      bytes_ = {start_, size};
      survive_lost_bytes();
    }
  }
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) {
    std::atomic<MappedFile*>* at = &mappings;
    while (*at != this) at = &at->load()->next_;
    *at = next_.load();
    if (mappings == nullptr) std::signal(SIGBUS, SIG_DFL);
    munmap(start_, bytes_.size());
  }
  if (descriptor_ >= 0) close(descriptor_);
}

/// Whoever looks at the bytes again reads the file again.
void MappedFile::give_back() const {
  if (start_ != nullptr) madvise(start_, bytes_.size(), MADV_DONTNEED);
}

void MappedFile::require_whole() const {
  struct stat info {};
  const bool shorter = start_ != nullptr && fstat(descriptor_, &info) == 0 &&
                       static_cast<std::size_t>(info.st_size) < bytes_.size();
  if (lost_ == 0 && !shorter) return;
  throw file_error("cannot-read", "\"" + path_ + "\" became shorter while it was being read",
                   "Wait until the program that writes it is done, and try again.");
}

}  // namespace attn::app
