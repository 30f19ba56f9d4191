// Grading one sheet: points, what follows, what was changed, find-the-bug.
#include "attn/teach/grading.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "attn/error.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/class_sheets.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

const StepReport& step(const Grade& grade, const std::string& id) {
  return *std::find_if(grade.report.steps.begin(), grade.report.steps.end(),
                       [&](const StepReport& each) { return each.id == id; });
}

Grade graded(const Sheet& sheet, const Answers& answers, double follow_through = 1.0) {
  return grade_sheet(sheet, {answers, std::nullopt}, {follow_through, {}});
}

Grade with_built_in(const Sheet& sheet, const std::string& code, double follow_through = 1.0) {
  return graded(sheet, filled_in(sheet, with_mistake(computation_of(sheet), code)), follow_through);
}

/// The numbers that are right on the sheet of student number `n`.
std::vector<double> right_for(std::size_t n) {
  std::vector<double> numbers;
  for (int i = 1; i <= 6; ++i) numbers.push_back(100.0 * static_cast<double>(n) + i);
  return numbers;
}

/// A graded sheet with one step, on which student number `n` wrote these numbers.
ClassRow row_of(std::size_t n, const std::vector<double>& written,
                const std::vector<Finding>& findings = {}) {
  const std::string id = "s" + std::to_string(n);
  const std::vector<double> right = right_for(n);
  Sheet key;
  key.variant = id;
  key.steps = {{.id = "q", .shape = {2, 3}, .numbers = right, .blank = std::vector<char>(6, 1)}};
  Grade grade;
  grade.answers.matrices = {{.id = "q", .shape = {2, 3}, .numbers = written}};
  StepReport report;
  report.id = "q";
  report.findings = findings;
  for (std::size_t i = 0; i < 6; ++i)
    report.cells.push_back(written[i] == right[i] ? CellVerdict::Right : CellVerdict::Wrong);
  grade.report.steps = {report};
  return {.columns = {id},
          .status = RowStatus::Graded,
          .key = std::make_shared<const Sheet>(key),
          .grade = grade};
}

/// The codes of the flags of the first in a class where everybody wrote that.
std::string flags_of_first(std::vector<ClassRow> rows) {
  flag_resemblances(rows);
  std::string codes;
  for (const Flag& flag : rows.front().grade->flags) codes += flag.code + " " + flag.student;
  return codes;
}

/// The same where the first copied that many numbers of the second, `off` by that much, made
/// `wrong` numbers up, and all else is right.
std::string flags_of_copier(std::size_t students, std::size_t copied, std::size_t wrong = 0,
                            double off = 0.0) {
  std::vector<ClassRow> rows;
  for (std::size_t n = 0; n < students; ++n) {
    std::vector<double> written = right_for(n);
    for (std::size_t i = 0; n == 0 && i < copied + wrong; ++i)
      written[i] = i < copied ? right_for(1)[i] + off : -static_cast<double>(i);
    rows.push_back(row_of(n, written));
  }
  return flags_of_first(std::move(rows));
}

}  // namespace

TEST_CASE("grading: the solved sheet has every point, the blank one none") {
  const Sheet sheet = solved_class_sheet("s1", 1);
  const Grade full = graded(sheet, filled_in(sheet, computation_of(sheet)));
  CHECK(close(25.0, full.report.score));
  CHECK(full.report.max_score == 25.0);
  CHECK(close(100.0, full.percent()));
  CHECK(full.report.right);
  CHECK(full.report.complete);
  CHECK(full.flags.empty());
  const Grade none = graded(sheet, left_blank(sheet));
  CHECK(none.report.score == 0.0);
  CHECK(none.report.max_score == 25.0);
  CHECK(none.report.right);
  CHECK(!none.report.complete);
}

TEST_CASE(
    "grading: nothing earns by following a step that is mostly wrong, and the report says so") {
  const Sheet sheet = solved_class_sheet("s1", 2);
  const Grade grade = with_built_in(sheet, "scale.missing");
  CHECK(grade.report.first_wrong == "scaled_scores");
  CHECK(step(grade, "scaled_scores").findings.front().code == "scale.missing");
  CHECK(step(grade, "scores").score == 5.0);
  CHECK(step(grade, "weights").verdict == Verdict::Follows);
  CHECK(step(grade, "weights").unearned_for == "masked_scores");
  CHECK(step(grade, "masked_scores").unearned_for == "scaled_scores");
  CHECK(grade.report.score == with_built_in(sheet, "scale.missing", 0.0).report.score);
  CHECK(std::find(grade.report.notes.begin(), grade.report.notes.end(),
                  follows("masked_scores") +
                      ", because "
                      "fewer than half of the blanks of scaled_scores earn points") !=
        grade.report.notes.end());
}

TEST_CASE("grading: a slip costs its own cell, and what follows keeps its points") {
  const Sheet sheet = solved_class_sheet("s1", 2);
  const Trace truth = computation_of(sheet);
  Answers answers = filled_in(sheet, truth);
  const std::size_t slip = blanks_of(sheet, "scaled_scores").back();  // in the last row
  matrix(answers, "scaled_scores").numbers[slip] += 0.7;
  matrix(answers, "masked_scores").numbers[slip] += 0.7;
  Tensor scores = truth.value("masked_scores");
  scores.edit()[slip] += 0.7;
  double sum = 0.0;
  for (const double x : scores.row(0, 0, 3)) sum += std::exp(x);
  for (std::size_t j = 0; j < 4; ++j)
    matrix(answers, "weights").numbers[12 + j] = std::exp(scores.row(0, 0, 3)[j]) / sum;
  const Grade grade = graded(sheet, answers);
  const auto blanks = static_cast<double>(blanks_of(sheet, "scaled_scores").size());
  CHECK(close(5.0 * (blanks - 1.0) / blanks, step(grade, "scaled_scores").score));
  CHECK(close(5.0, step(grade, "masked_scores").score));
  CHECK(step(grade, "weights").verdict == Verdict::Follows);
  CHECK(close(5.0, step(grade, "weights").score));
  CHECK(step(graded(sheet, answers, 0.0), "masked_scores").score < 5.0);
  const double half = step(graded(sheet, answers, 0.5), "masked_scores").score;
  CHECK(close(5.0 * (blanks - 0.5) / blanks, half));
}

TEST_CASE("grading: nobody's answer follows NaN, whether a cell is empty or holds one") {
  const Sheet sheet = solved_class_sheet("s1", 2);
  const std::vector<std::size_t> blanks = blanks_of(sheet, "scaled_scores");
  REQUIRE(blanks == blanks_of(sheet, "masked_scores"));
  for (const CellState before : {CellState::Empty, CellState::Filled}) {
    Answers answers = filled_in(sheet, computation_of(sheet));
    for (std::size_t i = 0; i < blanks.size() / 2; ++i) {
      Answer& earlier = matrix(answers, "scaled_scores");
      earlier.numbers[blanks[i]] = std::nan("");
      earlier.states.at(blanks[i]) = before;
      matrix(answers, "masked_scores").numbers[blanks[i]] = std::nan("");
    }
    const double share =
        1.0 - static_cast<double>(blanks.size() / 2) / static_cast<double>(blanks.size());
    const Grade grade = graded(sheet, answers);
    CHECK(close(5.0 * share, step(grade, "scaled_scores").score));
    CHECK(close(5.0 * share, step(grade, "masked_scores").score));
  }
}

TEST_CASE("grading: a step is worth its points times the share of its blanks that are right") {
  const Sheet sheet = solved_class_sheet("s1", 3);
  Answers answers = filled_in(sheet, computation_of(sheet));
  const std::vector<std::size_t> blanks = blanks_of(sheet, "output");
  matrix(answers, "output").numbers[blanks.front()] += 0.5;
  const Grade grade = graded(sheet, answers);
  const auto count = static_cast<double>(blanks.size());
  CHECK(close(5.0 * (count - 1.0) / count, step(grade, "output").score));
  CHECK(close(20.0 + 5.0 * (count - 1.0) / count, grade.report.score));
}

TEST_CASE("grading: a blank with two answers in two matrices of a step earns nothing") {
  const Sheet sheet = solved_class_sheet("s1", 4);
  const Answers right = filled_in(sheet, computation_of(sheet));
  const std::vector<std::size_t> blanks = blanks_of(sheet, "scores");
  for (const char* name : {"S", "Scores", "SCORES"}) {
    for (const bool before : {false, true}) {
      CAPTURE(name);
      CAPTURE(before);
      Answers both = right;
      Answer second = matrix(both, "scores");
      second.id = name;
      const auto add = [&](const Answer& each) {
        both = right;
        both.matrices.insert(before ? both.matrices.begin() : both.matrices.end(), each);
        return graded(sheet, both);
      };
      const Grade same = add(second);
      CHECK(close(25.0, same.report.score));
      CHECK(same.flags.empty());
      second.numbers[blanks[0]] += 1.0;
      second.numbers[blanks[1]] -= 1.0;
      const Grade two = add(second);
      const auto count = static_cast<double>(blanks.size());
      CHECK(close(5.0 * (count - 2.0) / count, step(two, "scores").score));
      CHECK(step(two, "scores").cells[blanks[0]] == CellVerdict::Unreadable);
      CHECK(step(two, "scores").cells[blanks[2]] == CellVerdict::Right);
      REQUIRE(two.flags.size() == 1);
      CHECK(two.flags.front().code == "file.second_matrix");
      CHECK(has(two.flags.front().message,
                "a second matrix for scores; " + std::string(kTwoAnswers) + " (2)"));
      CHECK(has(step(two, "scores").unreadable.front().what, "differ in 2 blanks"));
    }
  }
}

TEST_CASE("grading: of two matrices for a step, one fills the blanks of the other") {
  const Sheet sheet = solved_class_sheet("s1", 4);
  Answers answers = filled_in(sheet, computation_of(sheet));
  Answer second = matrix(answers, "scores");
  second.id = "S";
  for (const std::size_t blank : blanks_of(sheet, "scores"))
    matrix(answers, "scores").states[blank] = CellState::Empty;
  answers.matrices.push_back(second);
  CHECK(close(25.0, graded(sheet, answers).report.score));
  CHECK(graded(sheet, answers).flags.empty());
  answers.matrices.back() = {.id = "S", .shape = {1, 2}, .numbers = {1.0, 2.0}};
  const Grade other = graded(sheet, answers);
  CHECK(step(other, "scores").verdict == Verdict::Empty);
  REQUIRE(other.flags.size() == 1);
  CHECK(has(other.flags.front().message, "has another shape, and does not count"));
}

TEST_CASE("grading: printed cells that were changed are restored and flagged") {
  const Sheet sheet = solved_class_sheet("s1", 4);
  Answers answers = filled_in(sheet, computation_of(sheet));
  Answer& scores = matrix(answers, "scores");
  CHECK(scores.states.front() == CellState::Given);
  scores.numbers.front() += 1.0;
  const Grade grade = graded(sheet, answers);
  CHECK(close(25.0, grade.report.score));
  REQUIRE(grade.flags.size() == 1);
  CHECK(grade.flags.front().code == "file.given_changed");
  CHECK(grade.flags.front().message ==
        "1 printed cell of scores was changed; graded with the original numbers");
  matrix(answers, "output").numbers.front() += 2.0;
  const Grade both = graded(sheet, answers);
  REQUIRE(both.flags.size() == 1);
  CHECK(both.flags.front().message ==
        "2 printed cells of scores, output were changed; graded with the original numbers");
  matrix(answers, "output").numbers.front() -= 2.0;
  scores.numbers.front() = std::numeric_limits<double>::quiet_NaN();
  scores.states.front() = CellState::Empty;
  const Grade removed = graded(sheet, answers);
  CHECK(removed.report.complete);
  CHECK(removed.flags.empty());  // erasing is not tampering
  scores.numbers.front() = sheet.steps.front().numbers.front() + 1e-15;
  scores.states.front() = CellState::Given;
  CHECK(graded(sheet, answers).flags.empty());
}

TEST_CASE("grading: a blank that claims to be printed is the student's all the same") {
  const Sheet sheet = solved_class_sheet("s1", 4);
  Answers answers = filled_in(sheet, computation_of(sheet));
  Answer& scores = matrix(answers, "scores");
  const std::size_t blank = blanks_of(sheet, "scores").front();
  scores.states[blank] = CellState::Given;
  scores.numbers[blank] += 1.0;
  CHECK(graded(sheet, answers).report.first_wrong == "scores");
}

TEST_CASE("grading: a missing matrix is blank, another shape is no arithmetic error") {
  const Sheet sheet = solved_class_sheet("s1", 5);
  Answers answers = filled_in(sheet, computation_of(sheet));
  std::erase_if(answers.matrices, [](const Answer& each) { return each.id == "output"; });
  const Grade without = graded(sheet, answers);
  CHECK(step(without, "output").verdict == Verdict::Empty);
  CHECK(close(20.0, without.report.score));
  answers = filled_in(sheet, computation_of(sheet));
  matrix(answers, "output") = {.id = "output", .shape = {1, 2}, .numbers = {1.0, 2.0}};
  const Grade small = graded(sheet, answers);
  CHECK(step(small, "output").verdict == Verdict::Shape);
  CHECK(step(small, "output").max_score == 5.0);
  CHECK(close(20.0, small.report.score));
  answers.matrices.clear();
  CHECK_THROWS_AS(graded(sheet, answers), Error);
}

TEST_CASE("grading: the sheet's own tolerance counts") {
  Sheet sheet = solved_class_sheet("s1", 6);
  Answers answers = filled_in(sheet, computation_of(sheet));
  matrix(answers, "output").numbers[blanks_of(sheet, "output").front()] += 0.03;
  CHECK(!graded(sheet, answers).report.right);
  sheet.accept_within = 0.05;
  CHECK(graded(sheet, answers).report.right);
}

TEST_CASE("grading: find the bug gives half its points for the step and half for the code") {
  const Sheet sheet = bug_sheet("s1", 7, "scale.missing");
  struct Row {
    std::optional<std::string> step, code;
    double points;
    bool right, complete;
  };
  const Row rows[] = {{"scaled_scores", "scale.missing", 10.0, true, true},
                      {"S′", " Scale.Missing ", 10.0, true, true},
                      {"Scaled scores", "Scores not scaled", 10.0, true, true},
                      {"s′", "scale missing", 10.0, true, true},
                      {"s′", "scale left out", 5.0, false, true},
                      {"scaled_scores", "scale.d_k", 5.0, false, true},
                      {"weights", "scale.missing", 5.0, false, true},
                      {"scaled_scores", std::nullopt, 5.0, true, false},
                      {std::nullopt, " ", 0.0, true, false}};
  for (const Row& row : rows) {
    const Grade grade = grade_sheet(sheet, {{}, BugAnswer{row.step, row.code}});
    CAPTURE(row.points);
    CHECK(grade.report.score == row.points);
    CHECK(grade.report.max_score == 10.0);
    CHECK(grade.report.right == row.right);
    CHECK(grade.report.complete == row.complete);
    REQUIRE(grade.report.steps.size() == kBugParts.size());
    for (std::size_t i = 0; i < kBugParts.size(); ++i) {
      CHECK(grade.report.steps[i].id == kBugParts[i]);
      CHECK(grade.report.steps[i].max_score == 5.0);
    }
  }
}

TEST_CASE("grading: the key says which bug it is, whatever else could be found") {
  Sheet key = bug_sheet("s1", 8, "scale.missing");
  key.bug = BugAnswer{"weights", "softmax.columns"};
  CHECK(grade_sheet(key, {{}, BugAnswer{"weights", "softmax.columns"}}).report.score == 10.0);
  CHECK(grade_sheet(key, {{}, BugAnswer{"scaled_scores", "scale.missing"}}).report.score == 0.0);
}

TEST_CASE("flags: three numbers of another sheet may be chance, however large the class") {
  CHECK(flags_of_copier(30, 3) == "");  // (0.5/30)³ · 29 = 0.0001
  CHECK(flags_of_copier(30, 4) == "matches_variant_of s1");
}

TEST_CASE("flags: the chance that four numbers fit counts for each of the other sheets") {
  CHECK(flags_of_copier(3, 4) == "");                       // (0.5/3)⁴ · 2 = 0.0015
  CHECK(flags_of_copier(4, 4) == "matches_variant_of s1");  // (0.5/4)⁴ · 3 = 0.0007
}

TEST_CASE("flags: four in five wrong numbers have to agree, each within what is accepted") {
  CHECK(flags_of_copier(30, 4, 2) == "");
  CHECK(flags_of_copier(30, 5, 1) == "matches_variant_of s1");
  CHECK(flags_of_copier(30, 5, 0, 0.01) == "matches_variant_of s1");
  CHECK(flags_of_copier(30, 5, 0, 0.011) == "");
}

TEST_CASE("flags: the same wrong numbers are no flag where a known mistake explains them") {
  const auto flags = [](const std::vector<Finding>& findings) {
    const std::vector<double> same{71, 72, 73, 74, 75, 76};
    std::vector<ClassRow> rows{row_of(0, same, findings), row_of(1, same, findings)};
    for (std::size_t n = 2; n < 6; ++n) rows.push_back(row_of(n, right_for(n)));
    return flags_of_first(std::move(rows));
  };
  CHECK(flags({}) == "same_wrong_cells_as s1");
  CHECK(flags({{.confidence = Confidence::Possible}}) == "same_wrong_cells_as s1");
  CHECK(flags({{.confidence = Confidence::Certain}}) == "");
}

TEST_CASE("class: of steps that are equally hard, the first is called the hardest") {
  const auto key = std::make_shared<const Sheet>(solved_class_sheet("s1", 1));
  ClassBook book{.exercise = "hw1", .header = {"id"}, .rows = {}, .example = key.get()};
  book.rows.push_back({.columns = {"s1"},
                       .status = RowStatus::Graded,
                       .key = key,
                       .grade = graded(*key, left_blank(*key))});
  CHECK(summarise(book).hardest_step == key->steps.front().id);
  auto dropped = std::make_shared<Sheet>(*key);
  dropped->steps[0].points = 0.0;
  book.example = dropped.get();
  book.rows[0].key = dropped;
  book.rows[0].grade = graded(*dropped, left_blank(*dropped));
  CHECK(summarise(book).hardest_step == key->steps[1].id);
}
