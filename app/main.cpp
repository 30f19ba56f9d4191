// The program: signals, the standard streams, and off to run().
#include <sys/mman.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "cli.hpp"
#include "signals.hpp"

#ifdef MADV_POPULATE_WRITE
extern "C" const char __executable_start, etext;  // from the linker: where the code is
#endif

namespace {

/// The matrices of a model come and go: the memory of one is kept for the next, not returned.
void reuse_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that it takes
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

#ifdef MADV_POPULATE_WRITE
/// Asks the system for the pages from `begin` to `end` at once. It may refuse: then each comes when
/// it is touched.
void fetch_pages(const char* begin, const char* end, int how) {
  constexpr std::uintptr_t kPage = 4096;
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + kPage - 1) / kPage * kPage;
  const auto last = reinterpret_cast<std::uintptr_t>(end) / kPage * kPage;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, how);
}
#endif

/// Half of a small command's time would go into touching its code and memory page by page.
void fetch_what_every_command_touches() {
#ifdef MADV_POPULATE_WRITE
  fetch_pages(&__executable_start, &etext, MADV_POPULATE_READ);
  constexpr std::size_t kHeap = 160 << 10;  // what attn explain takes
  const std::unique_ptr<char[]> heap(new (std::nothrow) char[kHeap]);
  if (heap) fetch_pages(heap.get(), heap.get() + kHeap, MADV_POPULATE_WRITE);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  reuse_memory();
  attn::app::handle_signals();
  std::ios::sync_with_stdio(false);
  fetch_what_every_command_touches();
  return attn::app::run({argv + 1, argv + argc},
                        {std::cin, std::cout, std::cerr, attn::app::terminal()});
}
