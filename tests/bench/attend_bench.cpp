// Times a problem's making, its computation, its output alone and its gradients at real sizes.
// The computation is recorded; T up to 2048, d_model 512, 8 heads, causal.
#include <benchmark/benchmark.h>

#include <random>

#include "attn/attend.hpp"
#include "attn/core/threads.hpp"
#include "attn/gradient.hpp"

namespace {

attn::Array random_array(std::vector<std::ptrdiff_t> shape, std::mt19937& bits) {
  attn::Array array{std::move(shape), {}};
  std::size_t count = 1;
  for (const std::ptrdiff_t size : array.shape) count *= static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < count; ++i) {
    array.data.push_back(static_cast<double>(bits()) / 4294967296.0 - 0.5);
  }
  return array;
}

attn::ProblemDraft draft(std::ptrdiff_t n_tokens) {
  std::mt19937 bits(7);
  attn::ProblemDraft d;
  d.embeddings = random_array({n_tokens, 512}, bits);
  for (const char* name : {"w_q", "w_k", "w_v", "w_o"}) {
    d.weights[name] = random_array({512, 512}, bits);
  }
  d.heads = 8;
  d.masks = {attn::parse_mask("causal")};
  return d;
}

void build(benchmark::State& state) {
  const attn::ProblemDraft d = draft(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(attn::make_problem(d));
}

void attend(benchmark::State& state) {
  attn::use_threads(static_cast<int>(state.range(1)));
  const attn::Problem problem = attn::make_problem(draft(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(attn::attend(problem));
}

void output_alone(benchmark::State& state) {
  attn::use_threads(static_cast<int>(state.range(1)));
  const attn::Problem problem = attn::make_problem(draft(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(attn::attend_output(problem));
}

void gradients(benchmark::State& state) {
  attn::use_threads(static_cast<int>(state.range(1)));
  const attn::Problem problem = attn::make_problem(draft(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(attn::attend_and_back(problem, {}, {}));
}

}  // namespace

BENCHMARK(build)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK(attend)
    ->ArgNames({"tokens", "threads"})
    ->Args({64, 1})
    ->ArgsProduct({{512, 2048}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(output_alone)
    ->ArgNames({"tokens", "threads"})
    ->ArgsProduct({{512, 2048}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(gradients)
    ->ArgNames({"tokens", "threads"})
    ->Args({512, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

BENCHMARK_MAIN();
