// The program: signals, the standard streams, and off to run().
#include <iostream>

#include "cli.hpp"
#include "platform/screen.hpp"
#include "platform/signals.hpp"

int main(int argc, char** argv) {
  attn::app::handle_signals();
  std::ios::sync_with_stdio(false);
  return attn::app::run({argv + 1, argv + argc},
                        {std::cin, std::cout, std::cerr, attn::app::screen()});
}
