// Exercises: every sheet keeps its promises, and depends on salt, exercise and student alone.
#include "attn/teach/exercise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "attn/attend.hpp"
#include "attn/number_text.hpp"
#include "core/text/sha256.hpp"
#include "support/exercises.hpp"

namespace attn::testing {
namespace {

/// Everything on a sheet that must be the same wherever it is made, as text.
std::string written(const Sheet& sheet) {
  std::string text = sheet.variant;
  const Trace truth = layout_of(sheet);
  for (const Step* step : steps_and_givens(truth)) {
    if (!step->is_given()) continue;
    text += "\n" + step->id;
    for (const double x : step->value.data()) text += " " + format_exact(x);
  }
  for (const SheetStep& step : sheet.steps) {
    text += "\n" + step.id;
    for (const double x : step.numbers) text += " " + format_exact(x);
  }
  return text;
}

}  // namespace

TEST_CASE("exercise: every preset makes sheets that keep their promises" *
          doctest::test_suite("long")) {
  for (const ExercisePreset& preset : exercise_presets()) {
    const ExerciseSpec spec = spec_of(preset.name);
    const std::vector<std::string> students = {"s001", "b"};
    const std::vector<ExerciseVariant>& made = usual_sheets(preset.name);
    REQUIRE(made.size() == 2);
    for (std::size_t i = 0; i < made.size(); ++i) {
      const auto& [sheet, key, proof, tries] = made[i];
      CAPTURE(preset.name);
      CAPTURE(i);
      CHECK(sheet.exercise == "first");
      CHECK(sheet.student == students[i]);
      CHECK(proof.problems.empty());
      CHECK(proof.blank_score == 0.0);
      CHECK(proof.key_score == 1.0);
      CHECK(proof.rounded_score == 1.0);
      CHECK(proof.missed.empty());
      CHECK(proof.found.size() >= (spec.inverse ? 0u : spec.find_the_bug ? 1u : 10u));
      CHECK(tries >= 1);
      REQUIRE(sheet.steps.size() == spec.steps.size());
      for (const SheetStep& step : sheet.steps) {
        for (std::size_t n = 0; n < step.numbers.size(); ++n)
          CHECK(std::isnan(step.numbers[n]) == (step.blank[n] == 1));
      }
      const Proof again = prove_sheet(sheet, key, proof.found);
      CHECK(again.problems.empty());
      CHECK(again.found == proof.found);
    }
  }
}

TEST_CASE("exercise: salt, exercise and student determine the sheet, and nothing else does") {
  const ExerciseSpec spec = quick_spec_of("causal");
  const std::vector<std::string> class_list = {"s001", "b"};
  const std::vector<ExerciseVariant> made = make_exercise(spec, "salt", class_list);
  const std::string sheet = written(made[1].sheet);
  CHECK(written(made[0].sheet) != sheet);
  CHECK(written(only_sheet(spec, "salt", "b").sheet) == sheet);
  CHECK(written(only_sheet(spec, "pepper", "b").sheet) != sheet);
  ExerciseSpec other = spec;
  other.name = "second";
  CHECK(written(only_sheet(other, "salt", "b").sheet) != sheet);
}

TEST_CASE("exercise: all sheets of a class differ, and take about the same amount of work") {
  std::vector<std::string> students;
  for (int i = 0; i < 12; ++i) students.push_back("student " + std::to_string(i));
  std::set<std::string> ids;
  std::set<std::vector<double>> inputs;
  std::vector<double> work;
  for (const ExerciseVariant& each : make_exercise(spec_of("self"), "salt", students)) {
    ids.insert(each.sheet.variant);
    inputs.insert(each.sheet.problem.embeddings->data);
    work.push_back(each.proof.work);
    CHECK(each.sheet.variant.size() == 9);
    CHECK(each.sheet.variant[4] == '-');
    CHECK(each.sheet.variant.find_first_of("ILOUilou") == std::string::npos);
  }
  CHECK(ids.size() == students.size());
  CHECK(inputs.size() == students.size());
  std::sort(work.begin(), work.end());
  CHECK(work.front() >= 0.85 * work[work.size() / 2]);
  CHECK(work.back() <= 1.15 * work[work.size() / 2]);
}

TEST_CASE("exercise: without a roster there is one sheet, for nobody") {
  const std::vector<ExerciseVariant> made = make_exercise(spec_of("softmax"), "salt", {});
  REQUIRE(made.size() == 1);
  CHECK(made[0].sheet.student.empty());
  CHECK(made[0].sheet.problem.weights.empty());  // Q, K and V are given
  CHECK(made[0].sheet.problem.q);
}

TEST_CASE("exercise: a sheet's title is the name of the exercise, and it has no description") {
  const Sheet sheet = usual_sheet("self").sheet;
  CHECK(sheet.problem.title == "first");
  CHECK(sheet.problem.description.empty());
}

TEST_CASE("exercise: a student has the same sheet on every platform") {
  const std::map<std::string, std::string> digests = {
      {"self", "5c1d2c41a2c7727863ac198d059cea99a97b5f7436841f3b8a8d86848d6d07d8"},
      {"causal", "352987fc091d0786c97ffb2c192a13801cee8d7b3739e58618a9d23e82379be0"},
      {"multihead", "e4ceca8d29572c175de48a7f666adc8630675901089aa5f5369c3760382c8352"},
      {"cross", "bfbe7f45e374f8ddbd4dcc12c2cadd98d04f1df79a2b4d65e437a471170bacdc"},
      {"softmax", "64bece390b677a748a3500e765750ca929bdcc710cd814fbd576ecec5e92dfde"},
      {"find-the-bug", "b717617b6fd6e3594f32d39266b53e1e649272d3359741a40d46eb85c4bc1f1b"}};
  for (const auto& row : digests) {
    CAPTURE(row.first);
    const Sheet& sheet = usual_sheet(row.first).sheet;
    CHECK(sheet.variant == "V2QC-H5KN");
    CHECK(hex(sha256(written(sheet))) == row.second);
  }
}

}  // namespace attn::testing
