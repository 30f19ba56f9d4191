// How far a long run has come.
#pragma once

#include <cstddef>

#include "command.hpp"

namespace attn::app {

/// A line on standard error that counts, on terminals and after the first second; it is gone at the
/// end.
class Progress {
 public:
  explicit Progress(const Streams& streams);
  void show(std::size_t done, std::size_t all);
  void end();

 private:
  const Streams& streams_;
  std::size_t width_ = 0;
  double start_;
};

}  // namespace attn::app
