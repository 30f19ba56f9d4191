// The program: signals, the standard streams, and off to run().
#include <iostream>

#include "cli.hpp"
#include "platform/arguments.hpp"
#include "platform/screen.hpp"
#include "platform/signals.hpp"

int main(int argc, char** argv) {
  attn::app::handle_signals();
  std::ios::sync_with_stdio(false);
  return attn::app::run(attn::app::arguments(argc, argv),
                        {std::cin, std::cout, std::cerr, attn::app::screen()});
}
