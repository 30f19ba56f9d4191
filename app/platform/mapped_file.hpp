// A file that may be larger than memory.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>

namespace attn::app {

/// The bytes of a file that may be larger than memory: only the parts of a checkpoint that are
/// looked at are read. What is not a regular file, such as a pipe or "-", cannot be mapped.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Whether it is a file that has bytes, and they can be read.
  bool is_mapped() const { return start_ != nullptr; }
  std::string_view bytes() const { return bytes_; }

  /// What `read` makes of the bytes, which need not stay in memory afterwards. Throws Error (files,
  /// id "cannot-read") if somebody cut the file short meanwhile: bytes that are gone read as zeros.
  template <class Read>
  auto read(Read read) const {
    try {
      auto made = read(bytes_);
      require_whole();
      give_back();
      return made;
    } catch (...) {
      require_whole();  // the better reason, also where zeros were taken for sizes
      throw;
    }
  }

 private:
  friend struct LostBytes;

  void survive_lost_bytes();
  void require_whole() const;
  void give_back() const;

  std::string path_;
  int descriptor_ = -1;
  char* start_ = nullptr;
  std::string_view bytes_;
  volatile std::sig_atomic_t lost_ = 0;
  std::atomic<MappedFile*> next_ = nullptr;  // in the list of all mappings
};

}  // namespace attn::app
