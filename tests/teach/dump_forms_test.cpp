// Dumps of programs as they are: masks of other forms, numbers of narrow types, softmax in PyTorch.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/teach/names.hpp"
#include "core/tensor/dtype.hpp"
#include "support/dice.hpp"
#include "support/infinity.hpp"
#include "support/small_problems.hpp"
#include "support/traces.hpp"

namespace attn::testing {
namespace {

using Numbers = std::vector<double>;

/// Steps of a trace as a program saves them; all of them if none are named.
Answers saved(const Trace& trace, const std::vector<std::string>& ids = {},
              Dtype dtype = Dtype::Float64) {
  Answers dump{.source = "dump.npz", .matrices = {}, .by_program = true};
  dump.dtype = dtype;
  for (const Step& step : trace.steps) {
    if (!ids.empty() && std::find(ids.begin(), ids.end(), step.id) == ids.end()) continue;
    dump.matrices.push_back(
        {.id = step.id, .shape = step.value.shape().sizes(), .numbers = step.value.data().copy()});
  }
  return dump;
}

Answer& matrix_of(Answers& dump, const std::string& id) {
  return *std::find_if(dump.matrices.begin(), dump.matrices.end(),
                       [&](const Answer& each) { return each.id == id; });
}

/// "weights: scale.missing": what is wrong, and its causes.
std::string wrong_in(const CheckReport& report) {
  std::string text;
  for (const StepReport& step : report.steps) {
    if (!step.is_wrong()) continue;
    text += (text.empty() ? "" : "; ") + step.id + ":";
    for (const Finding& each : step.findings) text += " " + each.code;
  }
  return text;
}

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

Trace causal_trace(std::uint64_t seed) {
  Dice dice(seed);
  return trace_of(causal_problem(dice));
}

}  // namespace

TEST_CASE("dumps: a mask for all heads, to be added, or the other way round is right") {
  const Trace truth = causal_trace(4);
  const Index n = truth.value("mask").rows();
  const auto with_mask = [&](const std::vector<Index>& shape,
                             const std::function<double(double)>& f) {
    Answers dump = saved(truth);
    Answer& mask = matrix_of(dump, "mask");
    if (shape.size() != 3 || shape[0] == 1) mask.numbers.resize(static_cast<std::size_t>(n * n));
    mask.shape = shape;
    for (double& x : mask.numbers) x = f(x);
    return check_answers(truth, dump);
  };
  const auto same = [](double x) { return x; };
  for (const std::vector<Index>& shape :
       {std::vector<Index>{n, n}, {1, n, n}, {1, 1, n, n}, truth.value("mask").shape().sizes()}) {
    const CheckReport report = with_mask(shape, same);
    CHECK(wrong_in(report) == "");
    CHECK(report.notes.empty());
  }
  for (const double hidden : {-kInfinity, -1e9, -1e4}) {
    const CheckReport report = with_mask({n, n}, [&](double x) { return x == 1.0 ? 0.0 : hidden; });
    CHECK(wrong_in(report) == "");
    REQUIRE(report.notes.size() == 1);
    CHECK(report.notes[0] == "mask holds what is added to the scores: 0 is read as 1, −∞ as 0");
  }
  const CheckReport opposite = with_mask({n, n}, [](double x) { return 1.0 - x; });
  CHECK(wrong_in(opposite) == "");
  REQUIRE(opposite.notes.size() == 1);
  CHECK(tells(opposite.notes[0], "mask is 1 where a key is hidden"));
}

TEST_CASE("dumps: a mask that is wrong stays wrong in any form") {
  const Trace truth = causal_trace(4);
  const Index n = truth.value("mask").rows();
  for (const bool added : {false, true}) {
    Answers dump = saved(truth, {"mask", "weights"});
    Answer& mask = matrix_of(dump, "mask");
    mask.shape = {n, n};
    mask.numbers.resize(static_cast<std::size_t>(n * n));
    mask.numbers[1] = 1.0;  // the first query sees the next key
    if (added) {
      for (double& x : mask.numbers) x = x == 1.0 ? 0.0 : -kInfinity;
    }
    CHECK(check_answers(truth, dump).first_wrong == "mask");
  }
}

TEST_CASE("dumps: an opposite mask is right only beside what was computed with it, and is right") {
  const Trace truth = causal_trace(4);
  const auto checked = [&](const std::vector<std::string>& ids,
                           const std::function<void(Answers&)>& change) {
    Answers dump = saved(truth, ids);
    for (double& x : matrix_of(dump, "mask").numbers) x = 1.0 - x;
    change(dump);
    return check_answers(truth, dump).first_wrong.value_or("");
  };
  const auto nothing = [](Answers&) {};
  for (const char* use : {"masked_scores", "weights", "output"})
    CHECK(checked({"mask", use}, nothing) == "");
  CHECK(checked({"mask"}, nothing) == "mask");
  CHECK(checked({"q", "scores", "mask"}, nothing) == "mask");  // no mask is in them
  CHECK(checked({"mask", "weights"}, [](Answers& dump) { dump.matrices[1].numbers[0] += 0.5; }) ==
        "mask");
  CHECK(checked({"mask"}, [](Answers& dump) {  // no step, and so it is not known to be right
          dump.matrices.push_back({.id = "nonsense", .shape = {1, 1}, .numbers = {1.0}});
        }) == "mask");
}

TEST_CASE("sheets: a mask in another form is wrong where no program handed it in") {
  const Trace truth = causal_trace(4);
  const Index n = truth.value("mask").rows();
  const std::function<double(double)> opposite = [](double x) { return 1.0 - x; },
                                      added = [](double x) { return x == 1.0 ? 0.0 : -1e9; },
                                      same = [](double x) { return x; };
  for (const auto& [f, is_short] : {std::pair{opposite, false}, {added, false}, {same, true}}) {
    Answers sheet = saved(truth, {"mask", "weights"});
    Answer& mask = matrix_of(sheet, "mask");
    for (double& x : mask.numbers) x = f(x);
    if (is_short) {
      mask.shape = {n, n};
      mask.numbers.resize(static_cast<std::size_t>(n * n));
    }
    CHECK(check_answers(truth, sheet).right);
    sheet.by_program = false;
    CHECK(check_answers(truth, sheet).first_wrong == "mask");
  }
}

TEST_CASE("dumps: in float32, masked scores that are off are wrong") {
  const Trace truth = causal_trace(6);
  for (const Dtype dtype : {Dtype::Float64, Dtype::Float32, Dtype::Bfloat16}) {
    Answers dump = saved(truth, {"scaled_scores", "masked_scores"}, dtype);
    for (double& x : matrix_of(dump, "masked_scores").numbers) x += 0.5;
    CHECK(check_answers(truth, dump).first_wrong == "masked_scores");
  }
}

TEST_CASE("dumps: numbers of a narrow type in a wide one are judged by what they are") {
  for (const Dtype type : {Dtype::Bfloat16, Dtype::Float16}) {
    Dice dice(6);
    ProblemDraft draft = causal_problem(dice);
    const Trace truth = trace_of(draft);
    draft.dtype = type;
    const Trace right = trace_of(draft);
    const Answers kept = saved(right, {}, Dtype::Float32);
    CHECK(tells(wrong_in(check_answers(truth, kept)), "rounding."));  // and nothing else
    draft.scale = {ScaleRule::Kind::Number, 1.0};
    const Trace wrong = trace_of(draft);
    for (const std::vector<std::string>& ids :
         {std::vector<std::string>{"weights", "output"}, {"output"}}) {
      const CheckReport report = check_answers(truth, saved(wrong, ids, Dtype::Float32));
      CHECK(tells(wrong_in(report), ids[0] + ": scale.missing"));
      REQUIRE_FALSE(report.notes.empty());
      CHECK(tells(report.notes.back(), "number: they are judged as such, within "));
    }
  }
  const Trace truth = causal_trace(6);
  Answers nothing = saved(truth, {"weights", "output"}, Dtype::Float32);
  for (Answer& each : nothing.matrices) std::fill(each.numbers.begin(), each.numbers.end(), kNan);
  CHECK(check_answers(truth, nothing).notes.empty());  // NaN is of any type
}

TEST_CASE("dumps: softmax over heads, or down hidden columns, is NaN in PyTorch, and is named") {
  Dice dice(9);
  const Trace causal = trace_of(causal_problem(dice)), padded = trace_of(padded_problem(dice));
  for (const auto& [truth, code] :
       {std::pair{&causal, "softmax.heads"}, {&padded, "softmax.columns"}}) {
    const Tensor& scores = truth->value("masked_scores");
    Tensor weights(scores.shape());
    const bool heads = code == std::string("softmax.heads");
    for (Index h = 0; h < scores.heads(); ++h) {
      for (Index r = 0; r < scores.rows(); ++r) {
        for (Index c = 0; c < scores.cols(); ++c) {
          double sum = 0.0;
          for (Index k = 0; k < (heads ? scores.heads() : scores.rows()); ++k)
            sum += std::exp(scores.at(heads ? Cell{0, k, r, c} : Cell{0, h, k, c}));
          weights.at({0, h, r, c}) = std::exp(scores.at({0, h, r, c})) / sum;  // 0/0 is NaN
        }
      }
    }
    Answers dump = saved(*truth, {"masked_scores", "weights"});
    matrix_of(dump, "weights").numbers = weights.data().copy();
    CHECK(wrong_in(check_answers(*truth, dump)) ==
          "weights: " + std::string(code) + " evidence.not_finite");
  }
}

TEST_CASE("dumps: a missing scale after another mistake is no scale folded into Q") {
  Dice dice(3);
  const Trace truth = trace_of(grouped_problem(dice));
  const Trace tiled = with_mistake(truth, "kv_heads.tiled");
  Recipe unscaled = {{.step = "scaled_scores",
                      .operation = truth.at("scaled_scores").operation,
                      .parameters = {{"factor", 1.0}}}};
  const Trace both = replay(tiled, unscaled);
  for (const std::vector<std::string>& ids :
       {std::vector<std::string>{"q_heads", "scores", "scaled_scores"}, {"scores", "weights"}}) {
    const std::string causes = wrong_in(check_answers(truth, saved(both, ids)));
    CHECK(causes == "scores: kv_heads.tiled; " + ids.back() + ": scale.missing");
  }
}

TEST_CASE("dumps: two mistakes in weights are both named, though small weights seem right" *
          doctest::test_suite("long")) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Dice dice(seed);
    ProblemDraft draft = causal_problem(dice);
    const Trace truth = trace_of(draft);
    draft.scale = {ScaleRule::Kind::Number, 1.0};
    draft.masks.clear();
    const std::string causes = wrong_in(check_answers(truth, saved(trace_of(draft), {"weights"})));
    CAPTURE(causes);
    CHECK(tells(causes, "mask.missing"));
    CHECK(tells(causes, "scale.missing"));
  }
}

TEST_CASE("dumps: a matrix of another step, or with one added, is said to be that") {
  const Trace truth = causal_trace(5);
  Answers dump = saved(truth);
  matrix_of(dump, "weights").numbers = truth.value("masked_scores").data().copy();
  matrix_of(dump, "v").numbers = truth.value("k").data().copy();
  const Tensor& x = truth.value("x");
  Answer& output = matrix_of(dump, "output");
  for (std::size_t i = 0; i < output.numbers.size(); ++i) output.numbers[i] += x.data()[i];
  const CheckReport report = check_answers(truth, dump);
  CHECK(wrong_in(report) ==
        "v: evidence.other_step; weights: evidence.other_step; output: evidence.added_step");
  std::string said;
  for (const StepReport& step : report.steps) {
    for (const Finding& each : step.findings) said += each.message + " ";
  }
  CHECK(said ==
        "These are the numbers of k. These are the numbers of masked_scores. The numbers of x are "
        "added to what follows. ");
  Answers alone = dump;
  alone.matrices = {output};
  CHECK(check_answers(truth, alone).notes.empty());  // nobody asks whether it is another problem
  output.numbers[3] += 0.5;
  CHECK_FALSE(tells(wrong_in(check_answers(truth, dump)), "evidence.added_step"));
}

TEST_CASE("dumps: variables have the names that PyTorch code often gives them") {
  const Trace truth = causal_trace(5);
  Answers dump = saved(truth, {"scores", "masked_scores", "weights", "concat"});
  dump.matrices[0].id = "attn_scores";
  dump.matrices[1].id = "attention_scores";  // scaled and masked in place
  dump.matrices[2].id = "attn_weights";
  dump.matrices[3].id = "context_layer";
  const auto checked = [&](std::size_t at) {
    Answers one = dump;
    one.matrices = {dump.matrices[at]};
    NamesOfOthers found;
    const CheckReport report = check_answers(truth, with_own_names(truth, one, {}, found));
    CHECK(found.notes ==
          std::vector<std::string>{
              "names of variables in PyTorch code are read as those of attn's steps"});
    return report.steps.front().id + (report.right ? " is right" : " is wrong");
  };
  CHECK(checked(0) == "scores is right");
  CHECK(checked(1) == "masked_scores is right");
  CHECK(checked(2) == "weights is right");
  CHECK(checked(3) == "concat is right");
}

}  // namespace attn::testing
