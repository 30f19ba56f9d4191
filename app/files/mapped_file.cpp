// Maps a file into memory, or reads it as a whole.
#include "files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <filesystem>

#include "files/files.hpp"

namespace attn::app {
namespace {

// The mapping, for the handler of SIGBUS: the system sends it when bytes are read that the file no
// longer has.
char* mapped = nullptr;
std::size_t mapped_size = 0;
volatile std::sig_atomic_t lost = 0;

/// Puts zeros in place of the whole mapping, so that the read can go on to its end.
void replace_with_zeros(int signal, siginfo_t* info, void*) {
  const char* at = static_cast<const char*>(info->si_addr);
  const bool ours = mapped != nullptr && at >= mapped && at < mapped + mapped_size;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  if (ours && mmap(mapped, mapped_size, PROT_READ, kFlags, -1, 0) != MAP_FAILED) {
    lost = 1;
    return;
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void survive_lost_bytes(void* start, std::size_t size) {
  assert(mapped == nullptr);
  mapped = static_cast<char*>(start);
  mapped_size = size;
  lost = 0;
  struct sigaction action {};
  action.sa_sigaction = replace_with_zeros;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

MappedFile::MappedFile(const std::string& path, const Streams& streams) : path_(path) {
  std::error_code failed;
  // A pipe is opened only once: a second reader would get nothing.
  const bool regular = std::filesystem::is_regular_file(path, failed);
  descriptor_ = regular ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  struct stat info {};
  if (descriptor_ >= 0 && fstat(descriptor_, &info) == 0 && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (start != MAP_FAILED) {
      start_ = start;
      bytes_ = {static_cast<const char*>(start), size};
      survive_lost_bytes(start, size);
      return;
    }
  }
  whole_ = read_input(path, streams);
  bytes_ = whole_;
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) {
    std::signal(SIGBUS, SIG_DFL);
    mapped = nullptr;
    munmap(start_, bytes_.size());
  }
  if (descriptor_ >= 0) close(descriptor_);
}

void MappedFile::require_whole() const {
  struct stat info {};
  const bool shorter = start_ != nullptr && fstat(descriptor_, &info) == 0 &&
                       static_cast<std::size_t>(info.st_size) < bytes_.size();
  if (lost == 0 && !shorter) return;
  throw file_error("cannot-read", "\"" + path_ + "\" became shorter while it was read",
                   "Wait until the program that writes it is done, and try again.");
}

}  // namespace attn::app
