// Waits for a file to change.
#include "commands/watch.hpp"

#include <filesystem>
#include <ostream>
#include <utility>

#include "error_report.hpp"

namespace attn::app {
namespace {

namespace fs = std::filesystem;

/// What distinguishes two versions of a file.
std::pair<fs::file_time_type, std::uintmax_t> version_of(const std::string& path) {
  std::error_code none;
  return {fs::last_write_time(path, none), fs::file_size(path, none)};
}

}  // namespace

void watch(const std::string& path, const Streams& streams, const std::function<void()>& show) {
  const auto show_or_report = [&] {
    try {
      show();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Usage) throw;
      report(error, {}, streams.common, streams);
    }
    if (!streams.common.quiet) {
      streams.err << "attn: waiting for " << visible(path) << " to change; press Ctrl-C to stop\n"
                  << std::flush;
    }
  };
  auto seen = version_of(path);
  show_or_report();
  while (streams.terminal.wait()) {
    const auto now = version_of(path);
    if (now == seen) continue;
    seen = now;
    streams.out << "\n";
    show_or_report();
  }
}

}  // namespace attn::app
