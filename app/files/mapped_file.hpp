// A file that may be larger than memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "command.hpp"

namespace attn::app {

/// The bytes of a file that may be larger than memory: of a checkpoint only the parts that are
/// looked at are read. What cannot be mapped, such as a pipe, is read as a whole. There is at most
/// one at a time.
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

 private:
  void require_whole() const;

  std::string path_;
  std::string whole_;       // where nothing is mapped
  int descriptor_ = -1;     // of what is mapped
  void* start_ = nullptr;   // of the mapping
  std::string_view bytes_;  // of either
};

}  // namespace attn::app
