// Writes a count over itself, only to a terminal, and only after the first second.
#include "commands/progress.hpp"

#include <ostream>
#include <utility>

namespace attn::app {

Progress::Progress(const Streams& streams, std::string verb)
    : streams_(streams), verb_(std::move(verb)), start_(streams.terminal.seconds()) {}

void Progress::show(std::size_t done, std::size_t all) {
  if (!streams_.terminal.err_is_terminal || streams_.common.quiet) return;
  if (streams_.terminal.seconds() - start_ < 1.0) return;
  const std::string line = verb_ + " " + std::to_string(done) + " of " + std::to_string(all);
  width_ = line.size();
  streams_.err << "\r" << line << std::flush;
}

void Progress::end() {
  if (width_ > 0) streams_.err << "\r" << std::string(width_, ' ') << "\r" << std::flush;
}

}  // namespace attn::app
