// How far a long run has come.
#pragma once

#include <cstddef>
#include <string>

#include "command.hpp"

namespace attn::app {

/// A line on standard error that counts, on terminals and after the first second; it is gone at the
/// end.
class Progress {
 public:
  /// `verb` is what happens to each: "graded".
  Progress(const Streams& streams, std::string verb);
  void show(std::size_t done, std::size_t all);
  void end();

 private:
  const Streams& streams_;
  std::string verb_;
  std::size_t width_ = 0;
  double start_;
};

}  // namespace attn::app
