// Threads that take the next task until none is left.
#include "core/tensor/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "attn/core/threads.hpp"

namespace attn {
namespace {

std::atomic<int> wanted_threads{0};  // 0: one for each core

/// How many threads are worth starting.
Index thread_count(Index tasks, double work) {
  constexpr double kWorthAThread = 5e6;
  const auto useful = static_cast<Index>(std::min(work / kWorthAThread, 1e6));
  if (useful <= 1) return 1;  // asking for the number of cores would take longer
  const int cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int wanted = wanted_threads > 0 ? wanted_threads.load() : cores;
  return std::clamp<Index>(std::min<Index>(wanted, useful), 1, std::max<Index>(tasks, 1));
}

}  // namespace

void use_threads(int count) { wanted_threads = std::max(count, 0); }

void in_parallel(Index count, double work,
                 const std::function<std::function<void(Index task)>()>& make_worker) {
  std::atomic<Index> next{0};
  std::exception_ptr first;
  std::mutex guard;
  const auto run = [&] {
    try {
      const auto worker = make_worker();
      for (Index task = next++; task < count; task = next++) worker(task);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!first) first = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  try {
    const Index wanted = thread_count(count, work);
    for (Index i = 1; i < wanted; ++i) others.emplace_back(run);
  } catch (const std::exception&) {  // no more threads, or no memory: those that run do the work
  }
  run();
  for (std::thread& other : others) other.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace attn
