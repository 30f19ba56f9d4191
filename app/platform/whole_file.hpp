// A file that appears complete or not at all.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

namespace attn::app {

/// A file that takes its place once it is complete: it is written beside its destination under a
/// temporary name, and removed unless it was put in place. Its functions throw Error (files,
/// id "cannot-write").
class WholeFile {
 public:
  /// `path` is what it becomes; a file of that name keeps its permissions.
  explicit WholeFile(const std::string& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view bytes);
  /// Ends the writing.
  void close();
  void put_in_place();
  /// How many bytes it has.
  std::size_t size() const { return size_; }

 private:
  friend void remove_unfinished();

  std::string path_, beside_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  std::atomic<WholeFile*> next_ = nullptr;  // of those not yet in place
};

/// Removes every file that is not in place yet. A signal handler may call it.
void remove_unfinished();

}  // namespace attn::app
