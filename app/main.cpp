// The program: signals, the standard streams, and off to run().
#include <csignal>
#include <iostream>

#include "cli.hpp"
#include "files/whole_file.hpp"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has seen enough is not an error
  attn::app::remove_unfinished_on_signals();
  std::ios::sync_with_stdio(false);
  return attn::app::run({argv + 1, argv + argc},
                        {std::cin, std::cout, std::cerr, attn::app::terminal()});
}
