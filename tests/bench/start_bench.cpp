// Times everything that the program does for its smallest use, except the start of its process.
#include <benchmark/benchmark.h>

#include <sstream>

#include "cli.hpp"

namespace {

void run(benchmark::State& state, const std::vector<std::string>& args) {
  for (auto _ : state) {
    std::istringstream in;
    std::ostringstream out, err;
    benchmark::DoNotOptimize(attn::app::run(args, {in, out, err, {}}));
  }
}

}  // namespace

BENCHMARK_CAPTURE(run, explain, {"explain"})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, version, {"--version"})->Unit(benchmark::kMicrosecond);
