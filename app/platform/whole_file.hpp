// A file that appears complete or not at all.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace attn::app {

/// A file that takes its place once it is complete: it is written beside its destination under a
/// temporary name, and removed unless it was put in place. Its functions throw Error (files,
/// id "cannot-write").
class WholeFile {
 public:
  /// What the file becomes, besides its name.
  enum class Kind {
    Usual,   ///< a file of that name keeps its permissions; one that may not be written is refused
    Secret,  ///< from the first byte on, only its owner may read and write it
    Salt,    ///< the same; and there must be no file of that name: of two programs, one fails
  };
  WholeFile(const std::string& path, Kind kind);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view bytes);
  /// Ends the writing.
  void close();
  /// How many bytes it has.
  std::size_t size() const { return size_; }

 private:
  friend void put_in_place(std::span<const std::unique_ptr<WholeFile>> files);
  friend void remove_unfinished();

  void put_in_place();
  void undo() noexcept;

  std::string path_, beside_;
  std::string old_;  ///< another name of the file that was replaced, as long as it may come back
  Kind kind_;
  bool can_undo_ = false;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  std::atomic<WholeFile*> next_ = nullptr;  // of those not yet in place
};

/// Puts all of these files (those that are not nullptr) in place, or none: if one cannot be, the
/// others are taken back. No signal comes in between.
void put_in_place(std::span<const std::unique_ptr<WholeFile>> files);

/// Removes every file that is not in place yet. A signal handler may call it.
void remove_unfinished();

}  // namespace attn::app
