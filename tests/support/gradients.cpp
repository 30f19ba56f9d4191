// Replaces drawn settings without a usable slope, and goes back from the loss or drawn numbers.
#include "support/gradients.hpp"

#include "support/dice.hpp"
#include "support/random_model.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

Trace made(const ProblemDraft& draft, std::uint64_t seed) {
  Trace trace = attend(make_problem(draft), seed % 2 == 1 ? full_detail() : Recipe());
  add_gradients(trace, gradient_choice(trace, seed));
  return trace;
}

ProblemDraft with_results(ProblemDraft draft) {
  if (draft.empty_row == EmptyRow::Error) draft.empty_row = EmptyRow::Zero;
  if (draft.empty_row == EmptyRow::Nan) draft.empty_row = EmptyRow::Uniform;
  return draft;
}

}  // namespace

ProblemDraft differentiable(std::uint64_t seed) {
  ProblemDraft draft = with_results(random_problem(seed));
  draft.qk_norm.eps = 0.25;  // with a tiny one, what a row of zeros gets is steep
  if (draft.attention_gate && draft.attention_gate->activation == "relu")
    draft.attention_gate->activation = "gelu";  // relu has no slope at 0, where a row of zeros is
  return draft;
}

ProblemDraft differentiable_model(std::uint64_t seed) { return with_results(random_model(seed)); }

GradientChoice gradient_choice(const Trace& trace, std::uint64_t seed) {
  GradientChoice choice{.parts = seed % 2 == 1};
  Dice dice(seed + 77);
  if (trace.find("mean_loss") == nullptr)
    choice.upstream = dice.numbers(trace.value("output").shape().sizes());
  return choice;
}

Trace with_gradients(std::uint64_t seed) { return made(differentiable(seed), seed); }

Trace model_with_gradients(std::uint64_t seed) { return made(differentiable_model(seed), seed); }

}  // namespace attn::testing
