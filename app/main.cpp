// The program: signals, the standard streams, and off to run().
#include <iostream>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli.hpp"
#include "signals.hpp"

namespace {

/// The matrices of a model come and go: the memory of one is kept for the next, not returned.
void reuse_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that it takes
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  reuse_memory();
  attn::app::handle_signals();
  std::ios::sync_with_stdio(false);
  return attn::app::run({argv + 1, argv + argc},
                        {std::cin, std::cout, std::cerr, attn::app::terminal()});
}
