// Cleans up before a signal ends the program.
#include "platform/signals.hpp"

#include <csignal>

#include "platform/screen.hpp"
#include "platform/whole_file.hpp"

namespace attn::app {
namespace {

/// Makes only calls that a signal handler may make.
void clean_up(int signal) {
  remove_unfinished();
  restore_terminal();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void handle_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int signal :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGUSR1, SIGUSR2}) {
    // Whoever started the program may want it ignored, as nohup does.
    if (std::signal(signal, clean_up) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

}  // namespace attn::app
