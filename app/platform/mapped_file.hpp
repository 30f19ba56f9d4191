// A file that may be larger than memory.
#pragma once

#include <atomic>
#include <csignal>
#include <cstddef>
#include <string>
#include <string_view>

#include "attn/problem_file.hpp"
#include "command.hpp"

namespace attn::app {

/// The bytes of a file that may be larger than memory: only the parts of a checkpoint that are
/// looked at are read. What cannot be mapped, such as a pipe or "-", is read as a whole.
class MappedFile {
 public:
  /// Throws Error (files) like read_input.
  MappedFile(const std::string& path, const Streams& streams);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

  /// What `read` makes of the bytes. Throws Error (files, id "cannot-read") if somebody cut the
  /// file short meanwhile: then the bytes that are gone read as zeros.
  template <class Read>
  auto read(Read read) const {
    try {
      auto made = read(bytes_);
      require_whole();
      return made;
    } catch (...) {
      require_whole();  // the better reason, also where zeros were taken for sizes
      throw;
    }
  }

  /// These bytes need not stay in memory: whoever looks at them again reads the file again.
  void release(std::string_view part) const;

 private:
  friend struct LostBytes;

  void survive_lost_bytes();
  void require_whole() const;

  std::string path_;
  std::string whole_;       // where nothing is mapped
  int descriptor_ = -1;     // of what is mapped
  char* start_ = nullptr;   // of the mapping
  std::string_view bytes_;  // of either
  volatile std::sig_atomic_t lost_ = 0;
  std::atomic<MappedFile*> next_ = nullptr;  // in the list of all mappings
};

/// Such a file in the form that the library reads; it stays mapped as long as somebody may read it.
TensorFile open_tensor_file(const std::string& path, const Streams& streams);

}  // namespace attn::app
