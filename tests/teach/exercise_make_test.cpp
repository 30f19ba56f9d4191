// Exercises: every sheet that is made keeps its promises, and depends on salt, exercise and student
// alone.
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
  const Trace truth = attend(make_problem(sheet.problem));
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

TEST_CASE("exercise: every preset makes sheets that keep their promises") {
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
      CHECK(proof.found.size() >= (spec.find_the_bug ? 1u : 10u));
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
      {"self", "b477084507985bc86ff608d464398a8a17215663f3e813fd4dc163ea579c17b6"},
      {"causal", "fbc9daee869614e7f68e431787138b7d4a0112b26bd96440e9ad198aaa85e920"},
      {"multihead", "ba48cdf7d9e9df189113e003d04a9b6961db8d0fad9b07e662266fbd63f5608e"},
      {"cross", "13ca65418a3a716ebcfa0ab167e91b0c955852ded5cbcdafb7512788f89d3e87"},
      {"softmax", "36d2b7079345d2ff8230d1fc212aa29b80a3461b9a1ceebdd87a4e70a4a2f13e"},
      {"find-the-bug", "fb13c67c03f0a885565668d6da1edd05727f0705c5d27d6099bf076d8a37ab45"}};
  for (const auto& row : digests) {
    CAPTURE(row.first);
    const Sheet& sheet = usual_sheet(row.first).sheet;
    CHECK(sheet.variant == "RYMP-3SP3");
    CHECK(hex(sha256(written(sheet))) == row.second);
  }
}

}  // namespace attn::testing
