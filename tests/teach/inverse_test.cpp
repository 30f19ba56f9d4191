// Inverse sheets: whatever makes the printed numbers is right, judged beside three plain loops.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "attn/error.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/own_work.hpp"
#include "support/class_sheets.hpp"
#include "support/compare.hpp"
#include "support/dice.hpp"
#include "support/errors.hpp"
#include "support/exercises.hpp"

namespace attn::testing {
namespace {

constexpr double kEmpty = std::numeric_limits<double>::quiet_NaN();

Grade graded(const Sheet& sheet, const Sheet& filled) {
  return grade_sheet(sheet, {answers_of(filled), std::nullopt});
}

const StepReport& report_of(const Grade& grade, const std::string& id) {
  for (const StepReport& step : grade.report.steps) {
    if (step.id == id) return step;
  }
  FAIL("no step " << id);
  return grade.report.steps.front();
}

SheetStep& on_sheet(Sheet& sheet, const std::string& id) {
  for (SheetStep& step : sheet.steps) {
    if (step.id == id) return step;
  }
  FAIL("no step " << id);
  return sheet.steps.front();
}

/// A sheet that asks for the queries behind three weights, and its only key.
ExerciseVariant queries(const std::string& student = "s001", bool all = false) {
  ExerciseSpec spec = spec_of("inverse");
  if (all) spec.blanks.kind = BlankRule::Kind::All;
  return only_sheet(spec, "salt", student);
}

/// Row `i` of softmax(q·kᵀ/√4), term by term.
std::array<double, 3> weights_of(const double* q, const std::vector<double>& k) {
  std::array<double, 3> row{};
  double sum = 0.0;
  for (std::size_t j = 0; j < 3; ++j) {
    double score = 0.0;
    for (std::size_t c = 0; c < 4; ++c) score += q[c] * k[4 * j + c];
    sum += row[j] = std::exp(score / 2.0);
  }
  for (double& x : row) x /= sum;
  return row;
}

/// Whether each printed weight of a row comes out.
bool fits(const Sheet& sheet, const std::vector<double>& q, std::size_t row) {
  const std::array<double, 3> made = weights_of(&q[4 * row], sheet.problem.k->data);
  for (std::size_t j = 0; j < 3; ++j) {
    if (std::abs(made[j] - sheet.steps[1].numbers[3 * row + j]) > sheet.accept_within) return false;
  }
  return true;
}

/// A change of the three blanks of a row that leaves every score's distance to the first one as it
/// is: at right angles to k1 − k0 and to k2 − k0.
std::array<double, 3> free_direction(const Sheet& sheet, const std::vector<std::size_t>& cols) {
  const std::vector<double>& k = sheet.problem.k->data;
  std::array<double, 3> a{}, b{};
  for (std::size_t c = 0; c < 3; ++c) {
    a[c] = k[4 + cols[c]] - k[cols[c]];
    b[c] = k[8 + cols[c]] - k[cols[c]];
  }
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::vector<std::size_t> blank_cols(const SheetStep& step, std::size_t row) {
  std::vector<std::size_t> cols;
  for (std::size_t c = 0; c < 4; ++c) {
    if (step.blank[4 * row + c]) cols.push_back(c);
  }
  return cols;
}

}  // namespace

TEST_CASE("inverse: every other solution has all points, and a row that misses has none" *
          doctest::test_suite("long")) {
  Dice dice(7);
  int others = 0, missing = 0;
  for (int n = 0; n < 40; ++n) {
    const ExerciseVariant made = queries("s" + std::to_string(n));
    Sheet filled = made.key;
    std::vector<double>& q = filled.steps[0].numbers;
    for (std::size_t row = 0; row < 3; ++row) {
      const auto cols = blank_cols(filled.steps[0], row);
      REQUIRE(cols.size() == 3);
      const auto free = free_direction(made.sheet, cols);
      const double far = 3.0 * dice.number();
      for (std::size_t c = 0; c < 3; ++c) {
        q[4 * row + cols[c]] += far * free[c];
        others += std::abs(far * free[c]) > 0.1;
      }
      REQUIRE(fits(made.sheet, q, row));
    }
    const Grade all = graded(made.sheet, filled);
    CHECK(all.report.score == 3.0);
    CHECK(all.report.right);
    CHECK(all.report.complete);
    for (std::size_t row = 0; row < 3; ++row) {
      const auto cols = blank_cols(filled.steps[0], row);
      if (dice.chance(60)) q[4 * row + dice.one_of(cols)] += dice.number();
    }
    const Grade some = graded(made.sheet, filled);
    const StepReport& report = report_of(some, "q");
    double right = 0.0;
    for (std::size_t row = 0; row < 3; ++row) {
      const bool fit = fits(made.sheet, q, row);
      right += fit;
      missing += !fit;
      for (const std::size_t c : blank_cols(filled.steps[0], row))
        CHECK(report.cells[4 * row + c] == (fit ? CellVerdict::Right : CellVerdict::Wrong));
    }
    CHECK(close(right, some.report.score));
  }
  CHECK(others > 100);
  CHECK(missing > 20);
}

TEST_CASE(
    "inverse: a sheet without its solution is judged as with it, and attn does not solve it") {
  const ExerciseVariant made = queries();
  CHECK(!made.sheet.problem.q);
  CHECK(made.key.problem.q);
  Sheet other = made.key;
  other.steps[0].numbers[0] += 5.0;
  for (const Sheet& filled : {made.key, other, made.sheet}) {
    const Grade own = graded(made.sheet, filled), with_key = graded(made.key, filled);
    CHECK(own.report.score == with_key.report.score);
    for (std::size_t i = 0; i < 12; ++i)
      CHECK(report_of(own, "q").cells[i] == report_of(with_key, "q").cells[i]);
  }
  CHECK(solved_by_attn(made.sheet, made.key) == 0.0);
}

TEST_CASE("inverse: zeros, ones and copies earn next to nothing, an empty sheet nothing") {
  for (const std::string student : {"a", "b", "c", "d"}) {
    const ExerciseVariant made = queries(student);
    for (const double x : {0.0, 1.0, kEmpty}) {
      Sheet filled = made.sheet;
      SheetStep& q = filled.steps[0];
      for (std::size_t i = 0; i < 12; ++i) {
        if (q.blank[i]) q.numbers[i] = x;
      }
      CHECK(graded(made.sheet, filled).report.score <= 0.6);
      if (std::isnan(x)) CHECK(graded(made.sheet, filled).report.score == 0.0);
    }
    Sheet copied = made.sheet;
    for (std::size_t i = 0; i < 12; ++i) {
      if (copied.steps[0].blank[i]) copied.steps[0].numbers[i] = made.sheet.problem.k->data[i];
    }
    CHECK(graded(made.sheet, copied).report.score <= 0.6);
  }
}

TEST_CASE("inverse: what needs an empty cell is not judged, and said so") {
  const ExerciseVariant made = queries();
  Sheet filled = made.key;
  const auto cols = blank_cols(filled.steps[0], 1);
  filled.steps[0].numbers[4 + cols[0]] = kEmpty;
  const Grade grade = graded(made.sheet, filled);
  CHECK(grade.report.score == 2.0);
  CHECK(grade.report.right);
  CHECK(!grade.report.complete);
  CHECK(report_of(grade, "q").cells[4 + cols[1]] == CellVerdict::Empty);
  REQUIRE(grade.report.notes.size() == 1);
  CHECK(grade.report.notes.front().starts_with("some numbers are not judged yet"));
  CHECK(losses_of(grade) == std::vector<std::string>{"q: 1 of 9 blanks empty, 2 not judged yet"});
  const auto uses = printed_uses(grade, made.sheet, "q", 4 + cols[1]);
  REQUIRE(uses.size() == 3);
  for (const PrintedUse& use : uses) CHECK(std::isnan(use.made));  // an empty cell is no 0
}

TEST_CASE("inverse: NaN in a blank is wrong, as on every sheet, and says so") {
  const ExerciseVariant made = queries();
  Answers answers = answers_of(made.key);
  const auto cols = blank_cols(made.key.steps[0], 1);
  Answer& q = answers.matrices.front();
  q.numbers[4 + cols[0]] = std::nan("");  // in a cell that is filled
  const Grade grade = grade_sheet(made.key, {answers, std::nullopt});
  const StepReport& report = report_of(grade, "q");
  CHECK(report.cells[4 + cols[0]] == CellVerdict::Wrong);
  CHECK(report.cells[4 + cols[1]] == CellVerdict::Empty);
  CHECK(grade.report.score == 2.0);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings.front().code == "evidence.not_finite");
  CHECK(losses_of(grade) ==
        std::vector<std::string>{"q: 1 of 9 blanks wrong, 2 not judged yet (evidence.not_finite)"});
  q.numbers[blank_cols(made.key.steps[0], 0)[0]] += 5.0;  // another row is judged by itself
  CHECK(report_of(grade_sheet(made.key, {answers, std::nullopt}), "q").findings.size() == 2);
}

TEST_CASE("inverse: the report says which printed number is missed, and by how much") {
  const ExerciseVariant made = queries();
  Sheet filled = made.key;
  const auto cols = blank_cols(filled.steps[0], 2);
  filled.steps[0].numbers[8 + cols[0]] += 4.0;
  const Grade grade = graded(made.sheet, filled);
  const StepReport& report = report_of(grade, "q");
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings.front();
  CHECK(finding.code == "evidence.printed");
  CHECK(finding.message.find("weights[t2, t") != std::string::npos);
  const double printed = std::get<double>(finding.facts[1].value);
  const double comes_out = std::get<double>(finding.facts[0].value);
  std::size_t missed = 0;
  const auto plain = weights_of(&filled.steps[0].numbers[8], made.sheet.problem.k->data);
  for (std::size_t j = 0; j < 3; ++j) {
    const double wanted = made.sheet.steps[1].numbers[6 + j];
    const bool miss = std::abs(plain[j] - wanted) > 0.01;
    if (miss && missed++ == 0) {
      CHECK(printed == wanted);
      CHECK(close(plain[j], comes_out));
    }
  }
  const auto uses = printed_uses(grade, made.sheet, "q", 8 + cols[0]);
  REQUIRE(uses.size() == 3);
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(uses[j].cell == Cell{0, 0, 2, static_cast<Index>(j)});
    CHECK(close(plain[j], uses[j].made));
  }
}

TEST_CASE("inverse: somebody who forgets √d_k on the way back is asked about it") {
  const ExerciseVariant made = queries("s001", true);
  Sheet filled = made.key;
  for (double& x : filled.steps[0].numbers) x /= 2.0;
  const Grade grade = graded(made.sheet, filled);
  REQUIRE(!report_of(grade, "q").findings.empty());
  CHECK(report_of(grade, "q").findings.front().code == "scale.missing");
}

TEST_CASE("inverse: a slip in one matrix does not cost the numbers of another") {
  ExerciseSpec spec = spec_of("inverse");
  spec.steps = {{"q", 2}, {"k", 2}, {"scores", 0}};
  spec.blanks.share = 0.5;
  const ExerciseVariant made = only_sheet(spec, "salt", "s001");
  CHECK(!made.sheet.problem.k);
  CHECK(graded(made.sheet, made.key).report.score == 4.0);
  Sheet filled = made.key;
  SheetStep& q = on_sheet(filled, "q");
  for (std::size_t c = 0; c < 4; ++c) {
    if (q.blank[c]) q.numbers[c] += 10.0 + static_cast<double>(c);
  }
  const Grade grade = graded(made.sheet, filled);
  CHECK(report_of(grade, "k").score == 2.0);
  CHECK(close(2.0 * 2.0 / 3.0, report_of(grade, "q").score));
}

TEST_CASE("inverse: twice the queries and half the keys are another solution") {
  ExerciseSpec spec = spec_of("inverse");
  spec.steps = {{"q", 1}, {"k", 1}, {"weights", 0}};
  spec.blanks.kind = BlankRule::Kind::All;
  spec.force = true;  // nothing is printed of either, so that zeros in one of them do no harm
  const ExerciseVariant made = only_sheet(spec, "salt", "s001");
  Sheet filled = made.key;
  for (double& x : on_sheet(filled, "q").numbers) x *= 2.0;
  for (double& x : on_sheet(filled, "k").numbers) x *= 0.5;
  CHECK(graded(made.sheet, filled).percent() == 100.0);
}

TEST_CASE("inverse: a column of W_q is judged by the column of Q that it makes" *
          doctest::test_suite("long")) {
  ExerciseSpec spec = spec_of("inverse");
  spec.qkv_given = false;
  spec.steps = {{"w_q", 4}, {"q", 0}};
  const ExerciseVariant made = only_sheet(spec, "salt", "s001");
  CHECK(!made.sheet.problem.weights.contains("w_q"));
  Sheet filled = made.key;
  SheetStep& w = on_sheet(filled, "w_q");
  Index wrong = 0, all = 0;
  for (std::size_t i = 0; i < w.numbers.size(); ++i) {
    all += w.blank[i];
    if (!w.blank[i] || i % 4 != 1) continue;
    w.numbers[i] += static_cast<double>(i);
    ++wrong;
  }
  const Grade grade = graded(made.sheet, filled);
  CHECK(
      close(4.0 * static_cast<double>(all - wrong) / static_cast<double>(all), grade.report.score));
}

TEST_CASE("inverse: what cannot be an inverse sheet is refused with the reason") {
  const auto why_not = [](auto change) {
    ExerciseSpec spec = spec_of("inverse");
    change(spec);
    return refusal_from([&] { only_sheet(spec, "salt", "s001"); }).what;
  };
  using Spec = ExerciseSpec;
  CHECK(why_not([](Spec& s) {
          s.steps = {{"scores", 1}, {"weights", 0}};
        }).starts_with("scores is computed"));
  CHECK(why_not([](Spec& s) { s.steps = {{"q", 1}}; }).starts_with("nothing that is computed"));
  CHECK(why_not([](Spec& s) {
          s.mistakes = {"scale.missing"};
        }).starts_with("an inverse sheet cannot promise"));
  CHECK(why_not([](Spec& s) {
          s.find_the_bug = true;
        }).starts_with("a sheet is either inverse or find-the-bug"));
  CHECK(why_not([](Spec& s) {
          s.steps = {{"v", 1}, {"weights", 0}};
        }).starts_with("no printed number is made from v"));
}

TEST_CASE("inverse: numbers too large to compute with are wrong, not an error") {
  const ExerciseVariant made = queries();
  for (const double x : {1e308, -1e308, 1e155}) {
    Sheet filled = made.key;
    const auto cols = blank_cols(filled.steps[0], 0);
    filled.steps[0].numbers[cols[0]] = x;
    CHECK(graded(made.sheet, filled).report.score == 2.0);
  }
}

TEST_CASE("inverse: too large a number in every blank is wrong, and nothing is open") {
  const ExerciseVariant made = queries("s001", true);
  Sheet filled = made.key;
  for (double& x : on_sheet(filled, "q").numbers) x = 1e308;
  const Grade grade = graded(made.sheet, filled);
  CHECK(grade.report.score == 0.0);
  CHECK(!grade.report.right);
  CHECK(grade.report.notes.empty());
  const StepReport& report = report_of(grade, "q");
  for (const CellVerdict cell : report.cells) CHECK(cell == CellVerdict::Wrong);
  REQUIRE(!report.findings.empty());
  CHECK(report.findings.back().message.find("is too large to compute, but") != std::string::npos);
}

TEST_CASE("inverse: a weight that is always 1 earns nobody a point" * doctest::test_suite("long")) {
  ExerciseSpec spec = spec_of("inverse");
  spec.masks = {"causal"};
  spec.steps = {{"k", 3}, {"weights", 0}};
  spec.blanks.kind = BlankRule::Kind::All;
  const ExerciseVariant made = only_sheet(spec, "salt", "s001");
  CHECK(graded(made.sheet, made.key).report.score == 3.0);
  Sheet filled = made.key;
  Dice dice(11);
  for (double& x : on_sheet(filled, "k").numbers) x = 5.0 + 6.0 * dice.number();
  const Grade grade = graded(made.sheet, filled);
  CHECK(grade.report.score == 0.0);
  for (const PrintedUse& use : printed_uses(grade, made.sheet, "k", 0)) CHECK(use.cell.row > 0);
  spec.steps = {{"q", 3}, {"weights", 0}};  // of which the first row is 1 whatever it is
  CHECK_THROWS_AS(only_sheet(spec, "salt", "s001"), Error);
}

TEST_CASE("inverse: a sheet of 930 blanks is proved, and its key is right" *
          doctest::test_suite("long")) {
  ExerciseSpec spec = spec_of("inverse");
  Dice dice(5);
  ProblemDraft own;
  for (std::optional<Array>* each : {&own.q, &own.k, &own.v}) {
    *each = Array{{30, 30}, std::vector<double>(900)};
    for (double& x : (*each)->data) x = dice.number();
  }
  spec.problems[""] = own;
  spec.steps = {{"q", 3}, {"scores", 0}};
  spec.blanks.kind = BlankRule::Kind::All;
  const ExerciseVariant made = only_sheet(spec, "salt", "s001");
  CHECK(graded(made.sheet, made.key).report.score == 3.0);
}

}  // namespace attn::testing
