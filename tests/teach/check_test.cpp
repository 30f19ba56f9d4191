// Checking answers: cells, shapes, what follows, and the mistakes of the table.
#include "attn/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/mistakes.hpp"
#include "attn/problem_file.hpp"
#include "attn/samples.hpp"
#include "teach/check/search.hpp"

namespace attn::testing {
namespace {

/// Numbers between −1 and 1, the same in every run.
Array numbers(std::vector<Index> shape, unsigned seed) {
  std::mt19937 bits(seed);
  Array array{std::move(shape), {}};
  Index count = 1;
  for (const Index size : array.shape) count *= size;
  for (Index i = 0; i < count; ++i)
    array.data.push_back(static_cast<double>(bits() % 2001) / 1000.0 - 1.0);
  return array;
}

/// 5 tokens × d_model 6, two heads of d_k 3, all biases, a causal mask.
ProblemDraft good_design(unsigned seed = 1) {
  ProblemDraft draft;
  draft.tokens = {{"a", "b", "c", "d", "e"}};
  draft.embeddings = numbers({5, 6}, seed);
  draft.weights["w_q"] = numbers({6, 6}, seed + 1);
  draft.weights["w_k"] = numbers({6, 6}, seed + 2);
  draft.weights["w_v"] = numbers({6, 6}, seed + 3);
  draft.weights["w_o"] = numbers({6, 6}, seed + 4);
  draft.weights["b_q"] = numbers({6}, seed + 5);
  draft.weights["b_k"] = numbers({6}, seed + 6);
  draft.weights["b_v"] = numbers({6}, seed + 7);
  draft.weights["b_o"] = numbers({6}, seed + 8);
  draft.heads = 2;
  draft.masks = {parse_mask("causal")};
  return draft;
}

Answers answers_of(const Trace& trace, const std::vector<std::string>& only = {}) {
  Answers answers{.source = "answers.json", .matrices = {}};
  for (const Step& step : trace.steps) {
    if (!only.empty() && std::find(only.begin(), only.end(), step.id) == only.end()) continue;
    answers.matrices.push_back({.id = step.id,
                                .shape = step.value.shape().sizes(),
                                .numbers = step.value.data().copy(),
                                .states = {},
                                .unreadable = {}});
  }
  return answers;
}

/// Every step with findings, with their codes and those that tie with them.
std::string named(const CheckReport& report) {
  std::string text;
  for (const StepReport& step : report.steps) {
    if (step.findings.empty()) continue;
    text += (text.empty() ? "" : "; ") + step.id + ":";
    for (const Finding& finding : step.findings) {
      text += " " + finding.code;
      for (const std::string& other : finding.same_as) text += "=" + other;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("check: every mistake that is built in is named") {
  const Trace truth = attend(make_problem(good_design()));
  const std::vector<Candidate> all = candidates(truth);
  for (const Mistake& mistake : mistakes()) {
    Trace wrong;
    try {
      wrong = with_mistake(truth, mistake.code);
    } catch (const Error&) {
      continue;
    }
    for (const std::vector<std::string>& steps :
         {std::vector<std::string>{}, {"scores", "weights", "output"}, {"weights", "output"}}) {
      Answers answers = answers_of(wrong, steps);
      const auto changes_any = [&](const Answers& given) {
        return std::any_of(given.matrices.begin(), given.matrices.end(), [&](const Answer& each) {
          return truth.at(each.id).value.data() != each.numbers;
        });
      };
      answers.by_program = true;
      const std::string code = mistake.code;
      CAPTURE(code);
      CAPTURE(answers.matrices.size());
      const CheckReport report = check_answers(truth, answers, {}, &all);
      const bool visible = code != "softmax.overflow" &&
                           (code != "bias.missing_k" || steps.size() != 2) && changes_any(answers);
      const bool in_a_tie = named(report).find("=" + code) != std::string::npos;
      if (visible) CHECK((named(report).find(": " + code) != std::string::npos || in_a_tie));
      if (!visible) CHECK(report.right);
    }
  }
}

TEST_CASE("check: one wrong cell is one wrong cell, also where its row follows") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(with_mistake(truth, "scale.missing"), {"scaled_scores", "context"});
  answers.by_program = true;
  answers.matrices[1].numbers[4] += 1.0;
  const CheckReport report = check_answers(truth, answers);
  REQUIRE(report.steps.size() == 2);
  CHECK(report.first_wrong == "scaled_scores");
  const std::vector<CellVerdict>& cells = report.steps[1].cells;
  CHECK(cells[3] == CellVerdict::Follows);
  CHECK(cells[4] == CellVerdict::Wrong);
  CHECK(cells[5] == CellVerdict::Follows);
}

TEST_CASE("check: a cell that cannot be read leaves the other cells of its matrix as evidence") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(with_mistake(truth, "scale.missing"), {"scaled_scores", "weights"});
  answers.by_program = true;
  answers.matrices[1].states.assign(answers.matrices[1].numbers.size(), CellState::Filled);
  answers.matrices[1].states[7] = CellState::Unreadable;
  const CheckReport report = check_answers(truth, answers);
  CHECK(named(report) == "scaled_scores: scale.missing");
  CHECK(report.steps[1].verdict == Verdict::Wrong);
}

TEST_CASE("check: without b_k scores are right as long as nothing but their shift shows it") {
  const Trace truth = attend(make_problem(good_design()));
  const Trace without = with_mistake(truth, "bias.missing_k");
  Answers shifted = answers_of(without, {"scaled_scores", "weights", "output"});
  shifted.by_program = true;
  const CheckReport accepted = check_answers(truth, shifted);
  CHECK(accepted.right);
  CHECK(named(accepted) == "scaled_scores: equivalent.b_k");
  Answers keys = answers_of(without, {"k", "weights", "output"});
  keys.by_program = true;
  CHECK(named(check_answers(truth, keys)) == "k: bias.missing_k");
}

TEST_CASE("check: in a trace that ends early, mistakes do no harm and wrong answers are wrong") {
  const Trace whole = attend(make_problem(good_design()));
  for (std::size_t kept = 1; kept <= whole.steps.size(); ++kept) {
    CAPTURE(kept);
    Trace part = whole;
    part.steps.resize(kept);
    for (const Mistake& mistake : mistakes()) {
      try {
        with_mistake(part, mistake.code);
      } catch (const Error& error) {
        CHECK(error.diagnostics().front().id == "no-such-fault");
      }
    }
    Answers answers = answers_of(part, {part.steps.back().id});
    for (double& x : answers.matrices[0].numbers) x = 3.5 - x * x;
    CHECK(!check_answers(part, answers).right);
  }
}

TEST_CASE("check: a harmless fill does not keep the mistake beside it from being named") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(with_mistake(truth, "scale.missing"), {"masked_scores", "output"});
  for (double& x : answers.matrices[0].numbers) {
    if (x < -1e300) x = -1e9;
  }
  const CheckReport report = check_answers(truth, answers);
  REQUIRE(report.steps[0].findings.size() == 2);
  CHECK(report.steps[0].findings[0].code == "scale.missing");
  CHECK(report.steps[0].findings[1].code == "equivalent.fill");
}

TEST_CASE("check: blanks or extra rows name no mistake; zeros for hidden scores earn nothing") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(truth, {"weights", "output"});
  Answer& weights = answers.matrices[0];
  weights.shape = {5, 5};
  weights.numbers.assign(25, std::nan(""));
  weights.states.assign(25, CellState::Empty);
  Answer& output = answers.matrices[1];
  output.shape[0] += 1;
  output.numbers.resize(output.numbers.size() + 6);
  const CheckReport report = check_answers(truth, answers);
  CHECK(!report.complete);
  CHECK(named(report) == "");
  Answers zeros = answers_of(truth, {"masked_scores"});
  for (double& x : zeros.matrices[0].numbers) x = x < -1e300 ? 0.0 : 1000.0;
  CHECK(check_answers(truth, zeros).steps[0].score == 0.0);
}

TEST_CASE("check: q that is cut into heads is checked as q_heads, heads side by side as concat") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(truth, {"q_heads", "concat"});
  REQUIRE(answers.matrices.size() == 2);
  answers.matrices[0].id = "Q";
  answers.matrices[1].id = "context";
  const CheckReport report = check_answers(truth, answers);
  CHECK(report.right);
  CHECK(report.score == 60.0);
  REQUIRE(report.notes.size() == 2);
  CHECK(report.notes[0] == "\"Q\" (2×5×3) is checked as q_heads (2×5×3)");
  CHECK(report.notes[1] == "\"context\" (5×6) is checked as concat (5×6)");

  Answers both = answers_of(truth, {"q", "q_heads"});
  both.matrices[0].shape = {2, 5, 3};
  CHECK(check_answers(truth, both).steps[0].verdict == Verdict::Shape);
  Answers turned = answers_of(truth, {"k_heads"});
  turned.matrices[0].id = "k";
  turned.matrices[0].shape = {5, 2, 3};
  CHECK(named(check_answers(truth, turned)) == "k_heads: shape.axes");
}

TEST_CASE("check: a search that computes too much ends after the first wrong step, and says so") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(with_mistake(truth, "scale.missing"), {"weights"});
  const Answers other = answers_of(with_mistake(truth, "output.w_o_missing"), {"output"});
  answers.matrices.push_back(other.matrices[0]);
  const CheckReport whole = check_answers(truth, answers);
  CHECK(whole.steps[1].findings.at(0).code == "output.w_o_missing");
  CHECK(whole.notes.empty());

  const CheckReport part = check_answers(truth, answers, {}, nullptr, Search::All, 0.0);
  CHECK(part.steps[0].findings.at(0).code == "scale.missing");
  CHECK(part.steps[1].verdict == whole.steps[1].verdict);
  CHECK((part.steps[1].findings.empty() || part.steps[1].findings[0].code != "output.w_o_missing"));
  REQUIRE(part.notes.size() == 1);
  CHECK(part.notes[0] ==
        "the matrices are large, and the search for mistakes ended before output; to go on, check "
        "those alone");
}

}  // namespace attn::testing
