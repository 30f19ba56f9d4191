// Maps a file into memory, or reads it as a whole.
#include "files/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "files/files.hpp"

namespace attn::app {

MappedFile::MappedFile(const std::string& path, const Streams& streams) {
  std::error_code failed;
  // A pipe is opened only once: a second reader would get nothing.
  const bool regular = std::filesystem::is_regular_file(path, failed);
  const int file = regular ? open(path.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  struct stat info {};
  if (file >= 0 && fstat(file, &info) == 0 && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start != MAP_FAILED) {
      start_ = start;
      bytes_ = {static_cast<const char*>(start), size};
    }
  }
  if (file >= 0) close(file);  // the mapping stays
  if (start_ != nullptr) return;
  whole_ = read_input(path, streams);
  bytes_ = whole_;
}

MappedFile::~MappedFile() {
  if (start_ != nullptr) munmap(start_, bytes_.size());
}

}  // namespace attn::app
