// Number types narrower than float64: every operation's result is rounded to them.

#include "core/tensor/dtype.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/setting_names.hpp"
#include "support/compare.hpp"
#include "support/compare_steps.hpp"
#include "support/dice.hpp"
#include "support/infinity.hpp"
#include "support/narrow.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {
const std::vector<Dtype> kNarrow = {Dtype::Float32, Dtype::Bfloat16, Dtype::Float16};

bool same_tensor(const Tensor& a, const Tensor& b) {
  return a.shape() == b.shape() && same(a.data(), b.data());
}

/// Whether rounding would change no number.
bool is_narrow(const Tensor& tensor, Dtype dtype) {
  bool all = true;
  for (const double x : tensor.data()) all = all && same(x, narrowed(x, dtype));
  return all;
}

double round_one(double x, Dtype dtype) {
  return rounded(Tensor(Shape{{}, {}, 1, 1}, x), dtype).data()[0];
}

ProblemDraft draft_of_dtype(std::uint64_t seed, Dtype dtype) {
  ProblemDraft draft = random_problem(seed);
  if (draft.empty_row == EmptyRow::Error) draft.empty_row = EmptyRow::Zero;
  draft.dtype = dtype;
  return draft;
}

Trace opened_trace(const ProblemDraft& draft) {
  const Recipe recipe = opened_softmax();
  return attend(make_problem(draft), recipe);
}

}  // namespace

TEST_CASE("dtype: numbers are rounded to the nearest that the type has, ties to even") {
  const double tiny = std::ldexp(1.0, -24);  // the smallest float16 above 0
  CHECK(round_one(1.0 / 3, Dtype::Float32) == 0.3333333432674407958984375);
  CHECK(round_one(1.0 / 3, Dtype::Float16) == 0.333251953125);
  CHECK(round_one(1.0 / 3, Dtype::Bfloat16) == 0.333984375);
  CHECK(round_one(2049, Dtype::Float16) == 2048);
  CHECK(round_one(2051, Dtype::Float16) == 2052);
  CHECK(round_one(257, Dtype::Bfloat16) == 256);
  CHECK(round_one(16777217, Dtype::Float32) == 16777216);
  CHECK(round_one(65519, Dtype::Float16) == 65504);
  CHECK(round_one(65520, Dtype::Float16) == kInfinity);
  CHECK(round_one(-1e39, Dtype::Float32) == -kInfinity);
  CHECK(round_one(3.3e38, Dtype::Bfloat16) < kInfinity);
  CHECK(round_one(3.4e38, Dtype::Bfloat16) == kInfinity);
  CHECK(round_one(tiny * 0.6, Dtype::Float16) == tiny);
  CHECK(same(round_one(-tiny * 0.5, Dtype::Float16), -0.0));
  CHECK(round_one(1.0 / 3, Dtype::Float64) == 1.0 / 3);
}

TEST_CASE("dtype: rounding is that of plain arithmetic on the spacing of the numbers") {
  Dice dice(41);
  std::vector<double> numbers = {0, -0.0, kInfinity, -kInfinity, std::nan("")};
  for (int n = 0; n < 20000; ++n) {
    const double wide = std::ldexp(dice.number(), static_cast<int>(dice.between(-160, 140)));
    const double half = std::ldexp(dice.number(), static_cast<int>(dice.between(-26, 18)));
    const auto tie = static_cast<double>(2 * dice.between(0, 4096) + 1);
    numbers.insert(numbers.end(), {wide, half, std::ldexp(tie, static_cast<int>(n % 40) - 30)});
  }
  for (const Dtype dtype : kNarrow) {
    CAPTURE(word_of(dtype));
    std::size_t differences = 0;
    for (const double x : numbers)
      differences += same(narrowed(x, dtype), round_one(x, dtype)) ? 0 : 1;
    CHECK(differences == 0);
  }
}

TEST_CASE("dtype: every recorded number is one that the type has") {
  for (const Dtype dtype : kNarrow) {
    CAPTURE(word_of(dtype));
    for (std::uint64_t seed = 7000; seed < 7060; ++seed) {
      CAPTURE(seed);
      const Trace trace = opened_trace(draft_of_dtype(seed, dtype));
      for (const StepList& steps : {trace.steps, trace.givens}) {
        for (const Step& step : steps) {
          CAPTURE(step.id);
          CHECK(is_narrow(step.value, dtype));
        }
      }
    }
  }
}

TEST_CASE("dtype: every step of random problems is what plain loops give, rounded" *
          doctest::test_suite("long")) {
  for (const Dtype dtype : kNarrow) {
    CAPTURE(word_of(dtype));
    for (std::uint64_t seed = 7100; seed < 7300; ++seed) {
      CAPTURE(seed);
      const ProblemDraft draft = draft_of_dtype(seed, dtype);
      CHECK(first_wrong_step(oracle(draft, true), opened_trace(draft), draft.mask_before_scale) ==
            "");
      CHECK(first_wrong_step(oracle(draft, false), attend(make_problem(draft)),
                             draft.mask_before_scale) == "");
    }
  }
}

TEST_CASE("dtype: a single product, sum or quotient in float32 is the machine's") {
  Dice dice(42);
  ProblemDraft draft;
  draft.q = dice.numbers({4, 1});
  draft.k = dice.numbers({5, 1});
  draft.v = dice.numbers({5, 1});
  draft.bias = dice.numbers({4, 5});
  draft.scale = {ScaleRule::Kind::Number, 0.5};
  draft.dtype = Dtype::Float32;
  const Trace trace = opened_trace(draft);
  const auto single = [](double x) { return static_cast<float>(x); };
  for (Index i = 0; i < 4; ++i) {
    for (Index j = 0; j < 5; ++j) {
      const Cell cell{0, 0, i, j}, row{0, 0, i, 0};
      const float q = single(draft.q->data[static_cast<std::size_t>(i)]);
      const float k = single(draft.k->data[static_cast<std::size_t>(j)]);
      const float b = single(draft.bias->data[static_cast<std::size_t>(i * 5 + j)]);
      CHECK(single(trace.value("scores").at(cell)) == q * k);
      CHECK(single(trace.value("masked_scores").at(cell)) == q * k * 0.5F + b);
      const float e = single(trace.value("exp_scores").at(cell));
      CHECK(close(std::exp(q * k * 0.5F + b - single(trace.value("row_max").at(row))), e));
      CHECK(single(trace.value("weights").at(cell)) == e / single(trace.value("row_sum").at(row)));
    }
  }
}

TEST_CASE("dtype: softmax in one step or opened up gives the same weights in every type") {
  for (const Dtype dtype : {Dtype::Float64, Dtype::Float32, Dtype::Bfloat16, Dtype::Float16}) {
    CAPTURE(word_of(dtype));
    for (std::uint64_t seed = 7400; seed < 7480; ++seed) {
      CAPTURE(seed);
      const ProblemDraft draft = draft_of_dtype(seed, dtype);
      const Trace opened = opened_trace(draft), closed = attend(make_problem(draft));
      CHECK(same_tensor(opened.value("weights"), closed.value("weights")));
      CHECK(same_tensor(opened.value("output"), closed.value("output")));
    }
  }
}

}  // namespace attn::testing
