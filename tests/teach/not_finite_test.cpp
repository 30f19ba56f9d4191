// NaN and ∞ in answers: what is seen is said, and no mistake is named that nobody made.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/grading.hpp"
#include "core/tensor/dtype.hpp"
#include "support/class_sheets.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/infinity.hpp"
#include "support/phrases.hpp"
#include "support/small_models.hpp"
#include "support/small_problems.hpp"
#include "support/traces.hpp"
#include "teach/check/evaluation.hpp"

namespace attn::testing {
namespace {

enum class Spoiled { All, OneRow, OneCell };

/// A matrix with `x` in place of numbers: everywhere, in its second row, or in one cell of that.
Tensor spoiled(Tensor t, Spoiled where, double x) {
  const auto numbers = t.edit();
  const auto cols = static_cast<std::size_t>(t.cols());
  const std::size_t first = where == Spoiled::All ? 0 : cols;
  const std::size_t count = where == Spoiled::All      ? numbers.size()
                            : where == Spoiled::OneRow ? cols
                                                       : 1;
  std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(first), count, x);
  return t;
}

/// What a program hands in that computes on from a spoiled step: all steps, or some.
Answers dump_of(const Trace& truth, const std::string& id, const Tensor& in_its_place,
                const std::vector<std::string>& only = {}) {
  std::vector<std::string> ids;
  for (const Step& step : truth.steps) ids.push_back(step.id);
  Answers dump{.source = "dump.npz", .matrices = {}, .by_program = true};
  const auto visit = [&](const std::string& step, const Tensor& made, bool, const Tensor*& own) {
    if (step == id) own = &in_its_place;
    const Tensor& there = own == nullptr ? made : *own;
    const bool wanted = only.empty() || std::find(only.begin(), only.end(), step) != only.end();
    if (wanted && !truth.at(step).is_given()) {
      dump.matrices.push_back(
          {.id = step, .shape = there.shape().sizes(), .numbers = there.data().copy()});
    }
    return true;
  };
  const Evaluation right(truth);
  Evaluation(truth, right, {}, ids, visit);
  return dump;
}

/// "weights: evidence.not_finite mask.fill_sign; output follows": what is not right.
std::string said(const CheckReport& report) {
  std::string text;
  for (const StepReport& step : report.steps) {
    if (step.verdict == Verdict::Right) continue;
    text += text.empty() ? "" : "; ";
    text += step.id + (step.verdict == Verdict::Follows ? " follows" : ":");
    for (const Finding& each : step.findings) text += " " + each.code;
  }
  return text;
}

const StepReport& step_of(const CheckReport& report, const std::string& id) {
  return *std::find_if(report.steps.begin(), report.steps.end(),
                       [&](const StepReport& each) { return each.id == id; });
}

std::string first_message(const CheckReport& report) {
  return step_of(report, report.first_wrong.value()).findings.front().message;
}

bool says(const std::string& text, const char* part) { return text.find(part) != text.npos; }

struct Kind {
  const char* name;
  SmallProblem make;
};

constexpr Kind kKinds[] = {{"plain", unmasked_problem},  {"masked", causal_problem},
                           {"padded", padded_problem},   {"cross", cross_problem},
                           {"grouped", grouped_problem}, {"one head", no_w_o_problem}};

}  // namespace

TEST_CASE("not finite: wherever NaN or ∞ begins, that is said there, and the rest follows" *
          doctest::test_suite("long")) {
  for (const Kind& kind : kKinds) {
    Dice dice(7);
    const Trace truth = trace_of(kind.make(dice));
    for (const char* id : {"q", "scores", "scaled_scores", "masked_scores", "weights", "context",
                           "concat", "output"}) {
      if (truth.find(id) == nullptr) continue;
      for (const Spoiled where : {Spoiled::All, Spoiled::OneRow, Spoiled::OneCell}) {
        for (const double x : {kNan, kInfinity}) {
          const std::string what = kind.name + (" " + std::string(id));
          CAPTURE(what);
          CAPTURE(static_cast<int>(where));
          CAPTURE(x);
          const Answers dump = dump_of(truth, id, spoiled(truth.value(id), where, x));
          const CheckReport report = check_answers(truth, dump);
          CHECK_FALSE(report.right);
          REQUIRE(report.first_wrong == id);
          CHECK(step_of(report, id).findings.front().code == "evidence.not_finite");
          bool after = false;
          for (const StepReport& step : report.steps) {
            for (const Finding& each : step.findings)
              CHECK_MESSAGE(each.code.starts_with("evidence."), each.code);
            if (after) CHECK_MESSAGE(!step.is_wrong(), step.id);
            after = after || step.id == id;
          }
        }
      }
    }
  }
}

TEST_CASE("not finite: from weights and output alone, no mistake is made up, either") {
  for (const Kind& kind : kKinds) {
    Dice dice(8);
    const Trace truth = trace_of(kind.make(dice));
    const std::string causes = said(check_answers(
        truth, dump_of(truth, "weights", spoiled(truth.value("weights"), Spoiled::All, kNan),
                       {"weights", "output"})));
    CAPTURE(kind.name);
    // scores of +∞ where keys should be hidden make NaN of every row: possible, but not certain
    const bool fills = kind.name == std::string("padded");
    CHECK(causes == (fills ? "weights: evidence.not_finite mask.fill_sign; output follows"
                           : "weights: evidence.not_finite; output follows"));
    for (const Spoiled where : {Spoiled::All, Spoiled::OneRow, Spoiled::OneCell}) {
      for (const double x : {kNan, kInfinity}) {
        const CheckReport report = check_answers(
            truth, dump_of(truth, "output", spoiled(truth.value("output"), where, x), {"output"}));
        const std::vector<Finding>& found = report.steps.front().findings;
        CAPTURE(static_cast<int>(where));
        CHECK(found.front().code == "evidence.not_finite");
        for (const Finding& each : found) CHECK(each.confidence == Confidence::Possible);
        CHECK(report.notes.empty());  // nobody asks whether it is another problem
      }
    }
  }
}

TEST_CASE("not finite: the sentence counts rows, columns and cells, and says what makes them") {
  Dice dice(3);
  const Trace truth = trace_of(causal_problem(dice));
  const auto message = [&](const char* id, const Tensor& t,
                           const std::vector<std::string>& only = {}) {
    return first_message(check_answers(truth, dump_of(truth, id, t, only)));
  };
  const Tensor& weights = truth.value("weights");
  const std::string cells = std::to_string(weights.data().size());
  const std::string softmax =
      "Softmax gives NaN where all scores of a row are −∞ (0/0), and where e^x overflows (∞/∞). ";
  const std::string finite = "The numbers that go into this step are finite.";
  CHECK(message("weights", spoiled(weights, Spoiled::All, kNan)) ==
        "All " + cells + " cells are NaN (not a number). " + softmax + finite);
  CHECK(message("weights", spoiled(weights, Spoiled::OneRow, kNan), {"weights"}) ==
        "1 whole row is NaN (not a number): the row of \"t1\" in head 0. " + softmax +
            "Hand in masked_scores, too, to see whether it begins there.");
  CHECK(message("scores", spoiled(truth.value("scores"), Spoiled::OneCell, kInfinity)) ==
        "1 cell is infinite, in the row of \"t1\" in head 0. Numbers become infinite where they "
        "are too large "
        "for their type (beyond 65504 in float16), or are divided by 0. " +
            finite);
}

TEST_CASE("not finite: scores that are masked before the mask are said to be so") {
  Dice dice(3);
  const Trace truth = trace_of(causal_problem(dice));
  for (const char* id : {"scores", "scaled_scores"}) {
    Tensor masked = truth.value(id);
    for (Index r = 0; r < masked.rows(); ++r) {
      for (Index c = r + 1; c < masked.cols(); ++c)
        masked.row(0, 0, r)[static_cast<std::size_t>(c)] = -kInfinity;
    }
    const char* early = "but it is applied after this step";
    CHECK(says(first_message(check_answers(truth, dump_of(truth, id, masked))), early));
    masked.row(0, 0, 1)[0] = -kInfinity;  // nothing hides that key
    CHECK(!says(first_message(check_answers(truth, dump_of(truth, id, masked))), early));
  }
}

TEST_CASE("not finite: scores that were handed in say why softmax makes NaN of them") {
  Dice dice(3);
  const Trace truth = trace_of(unmasked_problem(dice));
  const auto message = [&](double score, std::optional<Dtype> dtype = Dtype::Float64,
                           Spoiled where = Spoiled::OneRow) {
    Tensor scores = truth.value("scaled_scores");
    if (where == Spoiled::All) scores = spoiled(scores, where, score);
    for (double& x : scores.row(0, 0, 1)) x = score;
    Answers dump = dump_of(truth, "scaled_scores", scores, {"scaled_scores", "weights"});
    dump.by_program = dtype.has_value();
    dump.dtype = dtype.value_or(Dtype::Float64);
    dump.matrices[1].numbers = spoiled(truth.value("weights"), where, kNan).data().copy();
    const CheckReport report = check_answers(truth, dump);
    return step_of(report, "weights").findings.back().message;  // softmax.overflow may be first
  };
  CHECK(says(message(-kInfinity), "All scores of that row are −∞, so softmax divides 0 by 0."));
  CHECK(
      says(message(-kInfinity, Dtype::Float64, Spoiled::All),
           "cells are NaN (not a number). All scores of a row are −∞, so softmax divides 0 by 0."));
  const std::pair<double, Dtype> most[] = {{709.7, Dtype::Float64},
                                           {88.72, Dtype::Float32},
                                           {88.71, Dtype::Bfloat16},
                                           {11.08, Dtype::Float16}};
  for (const auto& [score, dtype] : most) {
    CHECK(says(message(score, dtype), "and where e^x overflows (∞/∞)."));
    const std::string over = "too large for " +
                             std::string(kDtypeNames[static_cast<std::size_t>(dtype)]) +
                             ": subtract the row";
    CHECK(says(message(score + 0.1, dtype), over.c_str()));
  }
  CHECK(says(message(12.5, std::nullopt),
             "A score of 12.5 may make e^x too large for its number type: subtract the row"));
  CHECK(says(message(1000.0), "A score of 1000 makes e^x too large for float64: subtract the row"));
  CHECK(says(message(5.0), "(0/0), and where e^x overflows (∞/∞). The numbers that go into this "));
}

TEST_CASE("not finite: a mistake that makes just these NaN is named, and so is a second one") {
  Dice dice(5);
  ProblemDraft draft = blind_problem(dice);  // its first query sees no key
  const Trace truth = trace_of(draft);
  const auto codes = [&] {
    const Trace mine = trace_of(draft);
    Answers dump{.source = "dump.npz", .matrices = {}, .by_program = true};
    for (const char* id : {"weights", "output"}) {
      const Tensor& t = mine.value(id);
      dump.matrices.push_back({.id = id, .shape = t.shape().sizes(), .numbers = t.data().copy()});
    }
    return said(check_answers(truth, dump));
  };
  draft.empty_row = EmptyRow::Nan;
  CHECK(codes() == "weights: mask.empty_rows evidence.not_finite; output follows");
  draft.scale = {ScaleRule::Kind::Number, 1.0};
  const std::string both = codes();
  CHECK(says(both, "scale.missing"));
  CHECK(says(both, "mask.empty_rows"));
  CHECK(says(both, "evidence.not_finite; output follows"));
}

TEST_CASE("not finite: in a whole model it is said where it begins" * doctest::test_suite("long")) {
  for (const SmallModel make : {gpt2_model, llama_model, post_norm_translation}) {
    Dice dice(2);
    const Trace truth = trace_of(make(dice));
    const Step& weights =
        *std::find_if(truth.steps.begin(), truth.steps.end(),
                      [](const Step& step) { return step.info().role == StepRole::Weights; });
    for (const Spoiled where : {Spoiled::All, Spoiled::OneRow, Spoiled::OneCell}) {
      const CheckReport report =
          check_answers(truth, dump_of(truth, weights.id, spoiled(weights.value, where, kNan)));
      CHECK(report.first_wrong == weights.id);
      for (const StepReport& step : report.steps) {
        if (step.id == weights.id)
          CHECK(step.findings.front().code == "evidence.not_finite");
        else
          CHECK_MESSAGE(!step.is_wrong(), step.id);
      }
    }
    const Step& last = truth.steps.back();
    const CheckReport report = check_answers(
        truth, dump_of(truth, weights.id, spoiled(weights.value, Spoiled::All, kNan), {last.id}));
    const std::vector<Finding>& found = report.steps.front().findings;
    CHECK(found.front().code == "evidence.not_finite");
    for (const Finding& each : found) CHECK(each.confidence == Confidence::Possible);
  }
}

TEST_CASE("not finite: on a sheet NaN earns nothing, and the class has no mistake of it") {
  const auto key = std::make_shared<const Sheet>(solved_class_sheet("s1", 1));
  for (const char* id : {"scores", "scaled_scores", "masked_scores", "weights", "output"}) {
    for (const double x : {kNan, kInfinity}) {
      CAPTURE(id);
      Answers answers = filled_in(*key, computation_of(*key));
      for (const std::size_t blank : blanks_of(*key, id)) matrix(answers, id).numbers[blank] = x;
      const Grade grade = grade_sheet(*key, {answers, std::nullopt}, {1.0, {}});
      CHECK(step_of(grade.report, id).score == 0.0);
      CHECK(close(20.0, grade.report.score));
      CHECK(main_code(grade) == "evidence.not_finite");
      ClassBook book{.exercise = "hw1", .header = {"id"}, .rows = {}, .example = key.get()};
      book.rows.push_back(
          {.columns = {"s1"}, .status = RowStatus::Graded, .key = key, .grade = grade});
      const ClassSummary summary = summarise(book);
      CHECK(summary.causes.empty());
      CHECK(summary.graded == 1);
    }
  }
}

TEST_CASE("not finite: a sheet that is NaN from some step on counts as no mistake in the class") {
  const auto key = std::make_shared<const Sheet>(solved_class_sheet("s1", 1));
  const std::vector<std::string> steps{"scores", "scaled_scores", "masked_scores", "weights",
                                       "output"};
  for (std::size_t from = 0; from < steps.size(); ++from) {
    Answers answers = filled_in(*key, computation_of(*key));
    for (std::size_t i = from; i < steps.size(); ++i) {
      for (const std::size_t blank : blanks_of(*key, steps[i]))
        matrix(answers, steps[i]).numbers[blank] = kNan;
    }
    const Grade grade = grade_sheet(*key, {answers, std::nullopt}, {1.0, {}});
    CHECK(close(5.0 * static_cast<double>(from), grade.report.score));
    CHECK(codes_of(grade) == std::vector<std::string>{"evidence.not_finite"});
  }
}

}  // namespace attn::testing
