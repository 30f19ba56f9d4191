// A file that may be larger than memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "command.hpp"

namespace attn::app {

/// The bytes of a file that may be larger than memory: of a checkpoint only the parts that are
/// looked at are read. What cannot be mapped, such as a pipe, is read as a whole. A file that
/// somebody cuts short meanwhile ends the program (SIGBUS), like every one that is mapped.
class MappedFile {
 public:
  /// Throws Error (files) like read_input.
  MappedFile(const std::string& path, const Streams& streams);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string whole_;       // where nothing is mapped
  void* start_ = nullptr;   // of the mapping
  std::string_view bytes_;  // of either
};

}  // namespace attn::app
