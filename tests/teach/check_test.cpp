// Checking answers: cells, shapes, what follows, and the mistakes of the table.
#include "attn/check.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/answers_file.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/pace.hpp"
#include "support/phrases.hpp"
#include "support/traces.hpp"
#include "teach/check/graded_answer.hpp"
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

/// A problem with that row of scores.
ProblemDraft one_row(const std::vector<double>& scores) {
  ProblemDraft draft;
  draft.q = Array{{1, 1}, {1.0}};
  draft.k = draft.v = Array{{std::ssize(scores), 1}, scores};
  return draft;
}

CheckOptions within(double tolerance) {
  CheckOptions options;
  options.tolerance = Tolerance{.absolute = tolerance};
  return options;
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
    const std::optional<Trace> wrong =
        if_accepted([&] { return with_mistake(truth, mistake.code); });
    if (!wrong) continue;
    for (const std::vector<std::string>& steps :
         {std::vector<std::string>{}, {"scores", "weights", "output"}, {"weights", "output"}}) {
      Answers answers = answers_of(*wrong, steps);
      std::erase_if(answers.matrices, [&](const Answer& each) { return !truth.find(each.id); });
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
      const bool in_a_tie = named(report).find("=" + code) != std::string::npos ||
                            (code == "scale.twice" && !steps.empty() &&
                             named(report).find("scale.d_k") != std::string::npos);
      if (visible) CHECK((named(report).find(": " + code) != std::string::npos || in_a_tie));
      if (!visible) CHECK(report.right);
    }
  }
}

TEST_CASE("check: a mistake that changes no number is not named") {
  ProblemDraft turned = good_design(), capped = turned;
  turned.heads.reset();
  turned.positions.kind = PositionKind::Rope;
  turned.tokens = {{"a"}};
  turned.embeddings = numbers({1, 6}, 1);  // at position 0, where nothing turns
  capped.softcap = 1e9;
  struct Row {
    const ProblemDraft& draft;
    const char* code;
  };
  for (const Row& row :
       {Row{turned, "rope.base"}, {turned, "rope.one_side"}, {capped, "softcap.missing"}}) {
    CAPTURE(row.code);
    const Trace truth = attend(make_problem(row.draft));
    const CheckReport report = check_answers(truth, answers_of(with_mistake(truth, row.code)));
    CHECK(report.right);
    CHECK(named(report) == "");
  }
}

TEST_CASE("check: a mistake that could not change a number cannot be built in") {
  const auto is_refused = [](const ProblemDraft& draft, const char* code) {
    const Trace truth = attend(make_problem(draft));
    CHECK_THROWS_WITH_AS(with_mistake(truth, code), doctest::Contains("does not apply"), Error);
  };
  ProblemDraft one_pair = good_design();
  one_pair.positions.kind = PositionKind::Rope;
  one_pair.positions.rotary_dim = 2;
  is_refused(one_pair, "rope.base");
  ProblemDraft two_columns = good_design();
  two_columns.positions.kind = PositionKind::Sinusoidal;
  two_columns.embeddings = numbers({5, 2}, 1);
  for (const char* name : {"w_q", "w_k", "w_v"}) two_columns.weights[name] = numbers({2, 6}, 1);
  is_refused(two_columns, "positions.halves");
  ProblemDraft cross = good_design();
  cross.masks.clear();
  cross.memory = MemoryDraft{{}, numbers({4, 6}, 1)};
  is_refused(cross, "projection.fused_cut");
}

TEST_CASE("check: weights that are made from weights mix no values, whatever is wrong in them") {
  ProblemDraft draft = good_design();
  draft.masks = {parse_mask("causal")};
  draft.masking = MaskingMode::Renormalize;
  const Trace truth = attend(make_problem(draft));
  Answers answers = answers_of(truth, {"renormalized_weights"});
  for (double& x : answers.matrices[0].numbers) x = 0.3 + x * x;
  const CheckReport report = check_answers(truth, answers);
  CHECK(report.first_wrong == "renormalized_weights");
}

TEST_CASE("check: numbers that a mask hides count where rounding is allowed for") {
  ProblemDraft draft;
  draft.q = Array{{2, 2}, {0.001, 0.002, 0.003, 0.001}};
  draft.k = Array{{2, 2}, {1.0, -0.5, 3000.0, 2000.0}};  // query 0 may not see the large key
  draft.v = Array{{2, 2}, {1, 2, 3, 4}};
  draft.masks = {parse_mask("keys:1")};
  const Trace truth = attend(make_problem(draft));
  draft.dtype = Dtype::Float32;
  Answers answers = answers_of(attend(make_problem(draft)), {"scores", "weights", "output"});
  answers.by_program = true;
  CHECK(check_answers(truth, answers).right);
}

TEST_CASE("check: one wrong cell is one wrong cell, even where its row follows") {
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

TEST_CASE("check: a cell follows, whatever its neighbours were made from") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(truth, {"v", "concat"});
  std::vector<double>&v = answers.matrices[0].numbers, &concat = answers.matrices[1].numbers;
  v[0] += 1.0;
  v[7] += 0.7;  // a slip in copying: the next column is made from the right number
  for (Index row = 0; row < 5; ++row)
    concat[static_cast<std::size_t>(6 * row)] += truth.value("weights").at({0, 0, row, 0});
  const CheckReport report = check_answers(truth, answers);
  REQUIRE(report.steps.size() == 2);
  CHECK(report.first_wrong == "v");
  const std::vector<CellVerdict>& cells = report.steps[1].cells;
  CHECK(cells[6] == CellVerdict::Follows);
  CHECK(cells[7] == CellVerdict::Right);
  CHECK(report.steps[1].verdict == Verdict::Follows);
}

TEST_CASE("check: equal numbers in two blanks are carried into later steps if printed ones vary") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(truth, {"v", "concat"});
  Answer& v = answers.matrices[0];
  std::vector<double>& concat = answers.matrices[1].numbers;
  v.states.assign(v.numbers.size(), CellState::Given);
  const Tensor& weights = truth.value("weights");
  for (const Index i : {0, 1}) {
    const auto at = static_cast<std::size_t>(7 * i);
    for (Index row = 0; row < 5; ++row)
      concat[static_cast<std::size_t>(6 * row + i)] +=
          weights.at({0, 0, row, i}) * (3.5 - v.numbers[at]);
    v.numbers[at] = 3.5;
    v.states[at] = CellState::Filled;
  }
  const CheckReport report = check_answers(truth, answers);
  CHECK(report.first_wrong == "v");
  CHECK(report.steps.back().verdict == Verdict::Follows);
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

TEST_CASE("check: scores without b_k are right as long as only a shift shows that it is missing") {
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

TEST_CASE("check: without b_k nothing is right where softmax does not ignore what b_k adds") {
  const auto rope = [](ProblemDraft& d) { d.positions.kind = PositionKind::RopeInterleaved; };
  const auto softcap = [](ProblemDraft& d) { d.softcap = 1.0; };
  const auto fill = [](ProblemDraft& d) { d.fill = -1.0; };
  const auto extra = [](ProblemDraft& d) {
    d.weights["bias_k"] = numbers({8}, 20);
    d.weights["bias_v"] = numbers({8}, 21);
  };
  for (void (*change)(ProblemDraft&) : {+rope, +softcap, +fill, +extra}) {
    ProblemDraft draft = good_design();
    draft.weights["w_q"] = draft.weights["w_k"] = numbers({6, 8}, 12);
    draft.weights["w_v"] = numbers({6, 8}, 13);
    draft.weights["w_o"] = numbers({8, 6}, 14);
    for (const char* bias : {"b_q", "b_k", "b_v"}) draft.weights[bias] = numbers({8}, 15);
    change(draft);
    const Trace truth = attend(make_problem(draft));
    for (const std::vector<std::string>& given :
         {std::vector<std::string>{"output"}, {"weights"}}) {
      Answers answers = answers_of(with_mistake(truth, "bias.missing_k"), given);
      answers.by_program = true;
      const CheckReport report = check_answers(truth, answers);
      CHECK_FALSE(report.right);
      CHECK(named(report) == given[0] + ": bias.missing_k");
    }
  }
}

TEST_CASE("check: what is called right has the right output, whatever is set" *
          doctest::test_suite("long")) {
  const std::vector<void (*)(ProblemDraft&)> settings{
      [](ProblemDraft& d) { d.positions.kind = PositionKind::Alibi; },
      [](ProblemDraft& d) { d.positions.kind = PositionKind::Sinusoidal; },
      [](ProblemDraft& d) { d.softcap = 1.0; },
      [](ProblemDraft& d) { d.fill = -1.0; },
      [](ProblemDraft& d) { d.masking = MaskingMode::Add; },
      [](ProblemDraft& d) { d.masking = MaskingMode::Multiply; },
      [](ProblemDraft& d) { d.masks.push_back(parse_mask("keys:0")); },
      [](ProblemDraft& d) {
        d.memory = MemoryDraft{{}, numbers({3, 6}, 30)};
      },
  };
  int right = 0;
  std::size_t count = 0;
  for (const auto& set : settings) {
    ProblemDraft draft = good_design();
    set(draft);
    const Trace truth = attend(make_problem(draft));
    for (const Mistake& mistake : mistakes()) {
      if (++count % kEach != 0) continue;
      const std::optional<Trace> wrong =
          if_accepted([&] { return with_mistake(truth, mistake.code); });
      if (!wrong || !wrong->find("output")) continue;
      for (const std::vector<std::string>& given :
           {std::vector<std::string>{"output"}, {"weights", "output"}}) {
        CAPTURE(std::string(mistake.code));
        Answers answers = answers_of(*wrong, given);
        answers.by_program = true;
        if (!check_answers(truth, answers).right) continue;
        ++right;
        const NumberSpan ours = truth.value("output").data(),
                         theirs = wrong->value("output").data();
        REQUIRE(ours.size() == theirs.size());
        for (std::size_t i = 0; i < ours.size(); ++i) CHECK(close(ours[i], theirs[i], 1e-4));
      }
    }
  }
  CHECK(right > 0);
}

/// The columns, or the rows, of the two heads of a matrix swapped.
Array heads_swapped(const Array& w, bool rows) {
  Array swapped = w;
  const Index n = w.shape[0], cols = w.shape.back(), half = (rows ? n : cols) / 2;
  for (Index i = 0; i < std::ssize(w.data); ++i) {
    const Index r = i / cols, c = i % cols;
    const Index from = rows ? (r + half) % n * cols + c : r * cols + (c + half) % cols;
    swapped.data[static_cast<std::size_t>(i)] = w.data[static_cast<std::size_t>(from)];
  }
  return swapped;
}

TEST_CASE("check: heads in another order are right only if their slopes are in that order, too") {
  ProblemDraft draft = good_design();
  draft.positions.kind = PositionKind::Alibi;
  draft.positions.slopes = {0.5, 0.1};
  const Trace truth = attend(make_problem(draft));
  for (const char* w : {"w_q", "w_k", "w_v", "b_q", "b_k", "b_v"})
    draft.weights[w] = heads_swapped(draft.weights[w], false);
  draft.weights["w_o"] = heads_swapped(draft.weights["w_o"], true);
  const auto report = [&] {
    Answers answers = answers_of(attend(make_problem(draft)), {"weights", "output"});
    answers.by_program = true;
    return check_answers(truth, answers);
  };
  CHECK_FALSE(report().right);
  draft.positions.slopes = {0.1, 0.5};
  CHECK(report().right);
  CHECK(named(report()) == "weights: equivalent.heads_permuted");
}

TEST_CASE("check: a row without a visible key is not right with NaN or with equal weights") {
  ProblemDraft draft = good_design();
  draft.masks.push_back(parse_mask("keys:0"));
  const Trace truth = attend(make_problem(draft));
  const auto said = [&](const std::vector<std::string>& given) {
    Answers answers = answers_of(attend(make_problem(draft)), given);
    answers.by_program = true;
    const CheckReport report = check_answers(truth, answers);
    CHECK_FALSE(report.right);
    std::string codes;
    for (const Finding& each : report.steps.front().findings) codes += each.code + " ";
    return report.steps.front().id + ": " + codes;
  };
  draft.empty_row = EmptyRow::Nan;
  CHECK(said({"output"}) == "output: mask.empty_rows evidence.not_finite ");
  draft.empty_row = EmptyRow::Zero;
  draft.fill = -1e9;
  CHECK(said({"output"}) == "output: mask.empty_rows ");
  CHECK(said({"masked_scores", "weights", "output"}) == "masked_scores: mask.empty_rows ");
}

TEST_CASE("check: a note says where the tolerance is not small beside the numbers") {
  ProblemDraft draft = good_design();
  const Trace truth = attend(make_problem(draft));
  Answers answers = answers_of(truth, {"weights", "output"});
  CHECK(check_answers(truth, answers).notes.empty());
  for (Array* w : {&draft.weights["w_v"], &draft.weights["w_o"], &draft.weights["b_o"]}) {
    for (double& x : w->data) x *= 0.02;
  }
  const Trace small = attend(make_problem(draft));
  answers = answers_of(small, {"weights", "output"});
  const CheckReport report = check_answers(small, answers);
  REQUIRE(report.notes.size() == 1);
  CHECK(report.notes[0].starts_with("±0.01 is more than a tenth of the largest number in output:"));
  CheckOptions chosen;
  chosen.tolerance = Tolerance{.absolute = 0.01};
  CHECK(check_answers(small, answers, chosen).notes.empty());
}

TEST_CASE("check: in a trace that ends early, mistakes do no harm and wrong answers are wrong" *
          doctest::test_suite("long")) {
  const Trace whole = attend(make_problem(good_design()));
  for (std::size_t kept = 1; kept <= whole.steps.size(); ++kept) {
    CAPTURE(kept);
    Trace part = whole;
    part.steps.rearrange([&](auto& steps) { steps.resize(kept); });
    for (const Mistake& mistake : mistakes()) {
      const std::string refusal = refusal_from([&] { with_mistake(part, mistake.code); }).id;
      CHECK((refusal.empty() || refusal == "no-such-fault"));
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

TEST_CASE(
    "check: a fill in place of a bias of −∞ is right, also for a query that a later mask empties") {
  ProblemDraft draft = good_design();
  draft.masks = {parse_mask("keys:0")};
  draft.masking = MaskingMode::Multiply;
  draft.allowed = Array{{5, 5}, std::vector<double>(25, 1.0)};
  for (std::size_t key = 0; key < 5; ++key) draft.allowed->data[key] = 0.0;  // query 0 sees nothing
  draft.empty_row = EmptyRow::Zero;
  draft.bias = Array{{1, 5}, {0.0, -kInfinity, 0.0, 0.0, 0.0}};
  const Trace truth = attend(make_problem(draft));
  Answers answers = answers_of(truth, {"scores", "masked_scores"});
  for (double& x : answers.matrices[1].numbers) {
    if (x < -1e300) x = -1e9;
  }
  const CheckReport report = check_answers(truth, answers);
  CHECK(report.right);
  CHECK(named(report) == "masked_scores: equivalent.fill");
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
  const CheckReport cut = check_answers(truth, both);  // rearranged, for it fits in one way alone
  CHECK(cut.steps[0].verdict == Verdict::Wrong);
  CHECK(cut.findings[0].code == "layout.heads");
  Answers turned = answers_of(truth, {"k_heads"});
  turned.matrices[0].id = "k";
  turned.matrices[0].shape = {3, 2, 5};
  const CheckReport axes = check_answers(truth, turned);
  CHECK(named(axes) == "k_heads: shape.axes");
  CHECK(axes.steps[0].findings[0].confidence == Confidence::Possible);
}

TEST_CASE("check: float16 and bfloat16 numbers saved in a wider type are named as such") {
  ProblemDraft draft = good_design();
  const Trace truth = attend(make_problem(draft));
  for (const auto& [dtype, code] : {std::pair{Dtype::Bfloat16, std::string("rounding.bfloat16")},
                                    std::pair{Dtype::Float16, std::string("rounding.float16")}}) {
    draft.dtype = dtype;
    Answers answers = answers_of(attend(make_problem(draft)), {"q", "scores", "weights", "output"});
    answers.by_program = true;
    const CheckReport report = check_answers(truth, answers);
    CHECK(named(report) ==
          "q: " + code + "; scores: " + code + "; weights: " + code + "; output: " + code);
    const bool brain = dtype == Dtype::Bfloat16;
    CHECK(report.steps[0].findings[0].message ==
          "Every number is a " + code.substr(9) +
              " number, and the differences are no larger than its rounding: a tolerance of " +
              (brain ? "2%" : "0.2%") + " accepts them.");
    CHECK(report.notes.empty());
    CheckOptions loose;
    loose.tolerance = {.relative = brain ? 0.02 : 0.002};
    CHECK(check_answers(truth, answers, loose).right);
    for (double& x : answers.matrices[0].numbers) x *= 2.0;  // more than rounding
    CHECK(named(check_answers(truth, answers)).find("q: rounding.") == std::string::npos);
  }
  Answers few = answers_of(truth, {"q"});  // numbers that somebody wrote
  for (double& x : few.matrices[0].numbers) x = std::round(64.0 * x) / 64.0;
  few.by_program = true;
  CHECK(named(check_answers(truth, few)) == "q: rounding.bfloat16");
  for (double& x : few.matrices[0].numbers) x = std::round(4.0 * x) / 4.0;
  CHECK(named(check_answers(truth, few)).find("rounding.b") == std::string::npos);
}

TEST_CASE("check: handwritten numbers are not called bfloat16, though bfloat16 holds them") {
  const Trace truth = attend(make_problem(one_row({0.251, 0.749})));
  Answers answers = answers_of(truth, {"scores"});
  answers.matrices[0].numbers = {0.25, 0.75};
  answers.by_program = true;
  const CheckReport report = check_answers(truth, answers);
  CHECK(!report.right);
  CHECK(named(report).find("rounding.") == std::string::npos);
}

TEST_CASE("check: a number that is just the tolerance away is right") {
  const Trace truth = attend(make_problem(one_row({1.0})));
  Answers answers = answers_of(truth, {"scores"});
  answers.matrices[0].numbers = {1.01};  // 1.01 − 1 = 0.010000000000000009
  CHECK(check_answers(truth, answers).right);
  answers.matrices[0].numbers = {1.01001};
  CHECK(!check_answers(truth, answers).right);
}

TEST_CASE("check: with a misplaced point the digits are off by no more than rounding") {
  const Trace truth = attend(make_problem(one_row({0.5})));
  const auto named_for = [&](double written) {
    Answers answers = answers_of(truth, {"scores"});
    answers.matrices[0].numbers = {written};
    return named(check_answers(truth, answers));
  };
  CHECK(named_for(5.02) == "scores: slip.decimal_point");  // 0.4%
  CHECK(named_for(5.2).find("slip.decimal_point") == std::string::npos);
}

TEST_CASE("check: a wrong digit is found among five decimals") {
  const Trace truth = attend(make_problem(one_row({0.123456, 0.654321})));
  Answers answers = answers_of(truth, {"scores"});
  answers.matrices[0].numbers = {0.12846, 0.65432};
  const CheckReport report = check_answers(truth, answers, within(1e-5));
  CHECK(named(report) == "scores: slip.digit");
}

TEST_CASE("check: among more than a thousand wrong cells, exchanged ones are no slip") {
  for (const Index n : {30, 34}) {
    ProblemDraft draft;
    draft.q = numbers({n, 2}, 1);
    draft.k = numbers({n, 2}, 2);
    draft.v = numbers({n, 1}, 3);
    const Trace truth = attend(make_problem(draft));
    Answers answers = answers_of(truth, {"scores"});
    std::vector<double>& scores = answers.matrices[0].numbers;
    for (std::size_t i = 0; i < scores.size(); i += 2) std::swap(scores[i], scores[i + 1]);
    const CheckReport report = check_answers(truth, answers, within(1e-6));
    const auto wrong =
        std::count(report.steps[0].cells.begin(), report.steps[0].cells.end(), CellVerdict::Wrong);
    CHECK((wrong > 1000) == (n == 34));
    CHECK((named(report) == "scores: slip.neighbour") == (n == 30));
  }
}

TEST_CASE("check: a wrong mask is reported by what it shows and hides, not as slips") {
  ProblemDraft draft = good_design();
  draft.masks = {parse_mask("keys:0,3")};
  const Trace three = attend(make_problem(draft));
  draft.masks = {parse_mask("keys:0")};
  const Trace four = attend(make_problem(draft));
  const auto seen = [](const Trace& truth, const Answers& answers) {
    const CheckReport report = check_answers(truth, answers);
    REQUIRE(!report.steps[0].findings.empty());
    const Finding& first = report.steps[0].findings[0];
    return first.code + " " + first.message;
  };
  const std::string shown = "1 key that the mask hides is visible: key \"d\".";
  const std::string lost = "1 key that the mask shows is hidden: key \"d\".";
  for (const char* id : {"mask", "masked_scores"}) {
    CAPTURE(id);
    const auto of = [&](const Trace& trace) {
      return Answers{.source = "answers.json",
                     .matrices = {{.id = id,
                                   .shape = trace.at(id).value.shape().sizes(),
                                   .numbers = trace.at(id).value.data().copy()}}};
    };
    CHECK(seen(three, of(four)) == "evidence.mask " + shown);
    CHECK(check_answers(three, of(four)).steps[0].findings.size() == 1);  // no second place
    CHECK(seen(four, of(three)) == "evidence.mask " + lost);
  }
  CHECK(seen(three, answers_of(four, {"weights"})) == "evidence.zeros " + shown);
  CHECK(seen(four, answers_of(three, {"weights"})) == "evidence.zeros " + lost);

  const Trace causal = attend(make_problem(good_design()));
  Answers one = answers_of(causal, {"masked_scores"});
  one.matrices[0].numbers[3] = -1.5;  // the third key after query a
  one.matrices[0].numbers[9] = 0.5;
  one.matrices[0].numbers[10] = -INFINITY;
  CHECK(seen(causal, one) ==
        "evidence.mask 2 cells that the mask hides are visible; the first is key \"d\" of query "
        "\"a\" "
        "in head 0. 1 cell that the mask shows is hidden: key \"a\" of query \"c\" in head 0.");
}

TEST_CASE("check: only what was filled in has a place, and one number in every blank no cause") {
  const Trace truth = attend(make_problem(good_design()));
  const auto of_q = [&](std::size_t blanks, const std::vector<double>& written) {
    Answers answers = answers_of(truth, {"q"});
    Answer& q = answers.matrices[0];
    q.states.assign(q.numbers.size(), CellState::Given);
    for (std::size_t i = 0; i < blanks; ++i) q.states[i] = CellState::Filled;
    for (std::size_t i = 0; i < written.size(); ++i) q.numbers[i] = written[i];
    std::string codes;
    const CheckReport report = check_answers(truth, answers);
    for (const Finding& each : report.steps[0].findings)
      codes += each.code + " " + each.message + "\n";
    return codes;
  };
  const auto columns = static_cast<std::size_t>(truth.at("q").value.cols());
  const std::vector<double> wrong{0.91, -0.37, 0.73};
  CHECK(of_q(2 * columns, wrong).find("Only") != std::string::npos);
  CHECK(of_q(columns, wrong).find("Only") == std::string::npos);
  for (const double same : {0.0, 1.0, 0.5}) {
    CAPTURE(same);
    CHECK(of_q(2 * columns, std::vector<double>(2 * columns, same)) ==
          "evidence.same The same number is in every blank.\n");
  }
  CHECK(of_q(3, {0.5, 0.5, 0.5}).find("evidence.same") == std::string::npos);
}

TEST_CASE("check: one number in every blank of one step is seen, whatever the others hold") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(truth, {"q", "k"});
  for (Answer& each : answers.matrices) each.states.assign(each.numbers.size(), CellState::Given);
  for (std::size_t i = 0; i < 12; ++i) {
    for (Answer& each : answers.matrices) each.states[i] = CellState::Filled;
    answers.matrices[1].numbers[i] = 0.37;
  }
  const CheckReport report = check_answers(truth, answers);
  REQUIRE(report.steps[1].findings.size() == 1);
  CHECK(report.steps[1].findings[0].code == "evidence.same");
}

TEST_CASE("check: on a sheet, a mistake is possible although what comes after it is right") {
  const Trace truth = attend(make_problem(good_design()));
  const std::vector<std::string> steps{"scores", "scaled_scores", "masked_scores", "weights"};
  for (const char* code : {"scale.missing", "scale.d_k", "scale.multiplied"}) {
    CAPTURE(code);
    Answers answers = answers_of(truth, steps);
    const Trace wrong = with_mistake(truth, code);
    answers.matrices[1] = answers_of(wrong, {"scaled_scores"}).matrices[0];
    CHECK(check_answers(truth, answers).steps[1].findings.front().code != code);
    for (Answer& each : answers.matrices)
      each.states.assign(each.numbers.size(), CellState::Filled);
    const CheckReport report = check_answers(truth, answers);
    const StepReport& scaled = report.steps[1];
    REQUIRE(!scaled.findings.empty());
    CHECK(scaled.findings[0].code == code);
    CHECK(scaled.findings[0].confidence == Confidence::Possible);
    CHECK(scaled.findings[0].same_as.empty());
    CHECK(scaled.findings[0].message.ends_with("What comes after it is right all the same."));
    CHECK(report.steps[3].verdict == Verdict::Right);
    const CheckReport alone = check_answers(truth, answers_of(wrong, steps));
    CHECK(alone.steps[1].findings.at(0).confidence != Confidence::Possible);
    CHECK(!alone.steps[1].findings.at(0).message.ends_with("all the same."));
  }
}

TEST_CASE("check: a causal mask or heads that the problem lacks are named as such") {
  const Trace causal = attend(make_problem(good_design()));
  ProblemDraft draft = good_design();
  draft.masks.clear();
  const Trace unmasked = attend(make_problem(draft));
  const CheckReport report = check_answers(unmasked, answers_of(causal, {"weights", "output"}));
  CHECK(named(report) == "weights: mask.causal_added");

  draft.heads = 1;
  const CheckReport single = check_answers(
      attend(make_problem(draft)), answers_of(unmasked, {"q", "scores", "weights", "context"}));
  CHECK(named(single) == "scores: shape.heads; weights: shape.heads; context: shape.heads");
  CHECK(single.steps[1].findings[0].message ==
        "The matrix is 2×5×5: it looks like 2 heads, but the problem has 1.");
  Answers all = answers_of(unmasked);
  all.matrices.push_back({.id = "logits", .shape = {1, 1}, .numbers = {1.0}});
  const CheckReport whole = check_answers(attend(make_problem(draft)), all);
  REQUIRE(whole.notes.size() == 1);  // none on q_heads or concat
  CHECK(whole.notes[0].starts_with(no_step_here("logits")));
  draft.heads = 3;
  CHECK(named(check_answers(attend(make_problem(draft)),
                            answers_of(unmasked, {"q_heads", "scores"}))) ==
        "q_heads: heads.count; scores: heads.count");
}

TEST_CASE("check: no mistake is named that a right matrix just after it contradicts") {
  const Trace truth = attend(make_problem(good_design()));
  Answers answers = answers_of(truth, {"masked_scores", "weights", "output"});
  answers.by_program = true;
  answers.matrices[0].numbers = truth.at("scaled_scores").value.data().copy();
  CHECK(named(check_answers(truth, answers)) == "masked_scores: evidence.mask");
  answers.matrices.erase(answers.matrices.begin() + 1);  // the output contradicts it as well
  CHECK(named(check_answers(truth, answers)) == "masked_scores: evidence.mask");
  answers.matrices.pop_back();
  CHECK(named(check_answers(truth, answers)) == "masked_scores: mask.missing=mask.after_softmax");
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
        "the rest separately");
}

TEST_CASE("check: dropout is named with the share of weights that it sets to 0") {
  ProblemDraft draft = good_design();
  draft.masks = {};
  const Trace truth = attend(make_problem(draft));
  Answers answers = answers_of(truth, {"weights"});
  std::size_t i = 0;
  for (double& weight : answers.matrices[0].numbers) weight *= i++ % 5 == 1 ? 0.0 : 1.25;
  const CheckReport report = check_answers(truth, answers);
  REQUIRE(named(report) == "weights: dropout.on");
  const Fact& p = report.steps[0].findings[0].facts.at(0);
  CHECK(p.name == "p");
  CHECK(std::get<double>(p.value) == 0.2);
}

TEST_CASE("check: a finite fill may be rounded by 2% of it at most, however small the scores are") {
  ProblemDraft draft;
  draft.q = Array{{2, 2}, {0.1, 0.2, 0.3, 0.1}};
  draft.k = Array{{2, 2}, {0.1, 0.1, 0.2, 0.1}};
  draft.v = Array{{2, 1}, {1.0, 2.0}};
  draft.masks = {parse_mask("causal")};
  draft.fill = -1e9;
  draft.mask_before_scale = true;
  const Trace truth = attend(make_problem(draft));
  for (const double off : {1.01, 1.05, 0.95}) {
    CAPTURE(off);
    Answers answers = answers_of(truth, {"scaled_scores"});
    answers.matrices[0].numbers[1] *= off;
    CHECK(check_answers(truth, answers).right == (off == 1.01));
  }
}

TEST_CASE("check: a matrix that is not carried into later steps is named, with the reason") {
  // S = [[4, 0, 6], [0, 6, 4]], halved by √d_k.
  const Trace truth = trace_of(R"({"q": [[2, 0, 1, 0], [0, 2, 0, 1]],
    "k": [[1, 0, 2, 0], [0, 1, 0, 4], [3, 1, 0, 2]], "v": [[1, 0], [0, 1], [2, 3]]})");
  const std::string note = "later steps are computed from the right scores instead of yours: ";
  const auto reason = [&](const char* scores, const char* scaled) -> std::string {
    const std::string text =
        std::string(R"({"scores": )") + scores + R"(, "scaled_scores": )" + scaled + "}";
    for (const std::string& each : check_answers(truth, parse_answers(text, "a.json")).notes)
      if (each.starts_with(note)) return each.substr(note.size());
    return "";
  };
  const char* equal = "[[4, 4, 4], [4, 4, 4]]";
  CHECK(reason(equal, "[[2, 2, 2], [2, 2, 2]]") == "the numbers are all the same");
  CHECK(reason("[[5, null, null], [null, 5.5, null]]", "[[2.5, 0, 3], [0, 2.75, 2]]") ==
        "most cells are blank");
  CHECK(reason(equal, "[[2, 0, 3], [0, 3, 2]]") == "");
}

TEST_CASE("check: in a whole model, a step of a layer needs its whole id") {
  const Trace model = sample_trace(17);
  for (const std::string name : {"scores", "S"}) {
    CHECK(no_step_note(model, name) ==
          "this problem is a whole model: instead of \"" + name +
              "\", write a whole id, such as \"encoder.layers.0.self_attn.scores\"");
  }
}

}  // namespace attn::testing
