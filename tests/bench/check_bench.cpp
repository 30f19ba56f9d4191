// How long `check` takes: trying all mistakes and pairs on a sheet, and a dump of 512 tokens.
#include <benchmark/benchmark.h>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "attn/core/random_problem.hpp"
#include "attn/teach/mistakes.hpp"

namespace attn {
namespace {

Trace truth_of(Index tokens, Index d_model, Index heads) {
  RandomProblem wanted;
  wanted.tokens = tokens;
  wanted.d_model = d_model;
  wanted.heads = heads;
  wanted.normal = tokens > 32;
  ProblemDraft draft = random_draft(wanted);
  draft.masks = {parse_mask("causal")};
  return attend(make_problem(draft));
}

Answers answers_of(const Trace& trace, const std::vector<std::string>& ids) {
  Answers answers{.source = "dump.npz", .matrices = {}, .by_program = true};
  for (const std::string& id : ids) {
    const Tensor& t = trace.value(id);
    answers.matrices.push_back({.id = id,
                                .shape = t.shape().sizes(),
                                .numbers = t.data().copy(),
                                .states = {},
                                .unreadable = {}});
  }
  return answers;
}

/// A sheet that no mistake explains, so that everything is tried.
void BM_check_sheet(benchmark::State& state) {
  const Trace truth = truth_of(5, 6, 2);
  Answers answers = answers_of(truth, {"scores", "weights", "output"});
  answers.by_program = false;
  for (double& x : answers.matrices[1].numbers) x = 1.1 - x * x;
  for (auto _ : state) benchmark::DoNotOptimize(check_answers(truth, answers));
}
BENCHMARK(BM_check_sheet)->Unit(benchmark::kMillisecond);

void check_dump(benchmark::State& state, const char* fault) {
  const Trace truth = truth_of(512, 512, 8);
  const Answers answers = answers_of(with_mistake(truth, fault), {"weights", "output"});
  for (auto _ : state) benchmark::DoNotOptimize(check_answers(truth, answers));
}
void BM_check_dump_scale(benchmark::State& state) { check_dump(state, "scale.missing"); }
void BM_check_dump_heads(benchmark::State& state) { check_dump(state, "heads.split_reshaped"); }
BENCHMARK(BM_check_dump_scale)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(BM_check_dump_heads)->Unit(benchmark::kMillisecond)->Iterations(1);

/// A right dump of every step of a model with that many layers: its time is linear in them.
void BM_check_layers(benchmark::State& state) {
  ProblemDraft draft;
  draft.model = ModelDraft{};
  draft.model->kind = "attention_only";
  draft.heads = 2;
  draft.embeddings = Array{{3, 4}, std::vector<double>(12, 0.5)};
  const auto add = [&](const std::string& name, std::vector<Index> shape) {
    Array& array = draft.weights[name];
    array.shape = std::move(shape);
    std::size_t count = 1;
    for (const Index size : array.shape) count *= static_cast<std::size_t>(size);
    for (std::size_t i = 0; i < count; ++i) array.data.push_back(0.1 * static_cast<double>(i % 7));
  };
  for (Index n = 0; n < state.range(0); ++n) {
    const std::string layer = "layers." + std::to_string(n) + ".self_attn.";
    add(layer + "in_proj_weight", {12, 4});
    add(layer + "out_proj.weight", {4, 4});
  }
  const Trace truth = attend(make_problem(draft));
  std::vector<std::string> ids;
  for (const Step& step : truth.steps) ids.push_back(step.id);
  const Answers answers = answers_of(truth, ids);
  for (auto _ : state) benchmark::DoNotOptimize(check_answers(truth, answers));
  state.SetComplexityN(state.range(0));
}
BENCHMARK(BM_check_layers)
    ->Unit(benchmark::kMillisecond)
    ->Arg(200)
    ->Arg(1000)
    ->Iterations(1)
    ->Complexity(benchmark::oN);

}  // namespace
}  // namespace attn
