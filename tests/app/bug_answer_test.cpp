// The two answers on a find-the-bug sheet, as people write them.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/io/sheet_file.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/gradebook.hpp"
#include "attn/teach/grading.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/class_sheets.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

/// The points of 10 for these answers on a sheet where the scores are divided by d_k.
Grade answered(const std::string& step, const std::string& code) {
  return grade_sheet(bug_sheet("s1", 7, "scale.d_k"), {{}, BugAnswer{step, code}});
}

std::string loss(const Grade& grade) { return separated(losses_of(grade), "; "); }

}  // namespace

TEST_CASE("bug answer: the step may be named in brackets, with its symbol, as a matrix") {
  for (const char* step :
       {"[scaled_scores]", "(scaled scores)", "S_scaled", "scaled_S", "the scaled scores",
        "scaled scores matrix", "Matrix S′", "scores_scaled", "[S′]", "step scaled scores"}) {
    CAPTURE(step);
    CHECK(answered(step, "x").report.score == 5.0);
  }
  for (const char* step :
       {"S", "the scores", "scaled", "scaled weights", "[]", "()", "the matrix"}) {
    CAPTURE(step);
    CHECK(answered(step, "x").report.score == 0.0);
  }
  for (const char* code : {"(scale.d_k)", "[scale.d_k]", "((scale d_k))", "scaled by d_k"}) {
    CAPTURE(code);
    CHECK(answered("x", code).report.score == 5.0);
  }
}

TEST_CASE("bug answer: a step that is not on the sheet is said to be none, with those that are") {
  for (const char* step : {"q", "Q", "nonsense"}) {
    CAPTURE(step);
    const Grade grade = answered(step, "scale.d_k");
    CHECK(grade.bug->no_step == step);
    CHECK(has(loss(grade), "bug.first_wrong: " + no_step_of_sheet(step)));
    CHECK(has(grade.report.notes.front(), "which has scores (S), scaled_scores (S′), "));
  }
  CHECK(has(loss(answered("weights", "scale.d_k")),
            "bug.first_wrong: \"weights\" was answered, and another one is right"));
  CHECK(has(loss(answered("S", "scale.missing")),
            "bug.code: \"scale.missing\" was answered, and another one is right"));
}

TEST_CASE("bug answer: a number is the one that is printed, where it cannot be a place") {
  const Sheet sheet = bug_sheet("s1", 7, "scale.d_k");
  const Trace layout = layout_of(sheet);
  const std::vector<const Step*> numbered = numbered_steps(layout, false);
  const auto at = std::find_if(numbered.begin(), numbered.end(),
                               [](const Step* each) { return each->id == "scaled_scores"; });
  const auto number = static_cast<std::size_t>(at - numbered.begin()) + 1;
  REQUIRE(number > sheet.steps.size());
  CHECK(answered(std::to_string(number), "x").report.score == 5.0);
  for (std::size_t place = 1; place <= sheet.steps.size(); ++place) {
    CAPTURE(place);
    const Grade grade = answered(std::to_string(place), "x");
    CHECK(grade.report.score == 0.0);
    CHECK(grade.bug->no_step == std::to_string(place));
  }
}

TEST_CASE("bug answer: a code that describes what was done is right, though attn names another") {
  CHECK(answered("S′", "scale.twice").report.score == 10.0);
  CHECK(answered("S′", "scaled twice").report.score == 10.0);
  const Sheet other = bug_sheet("s1", 8, "scale.missing");
  CHECK(grade_sheet(other, {{}, BugAnswer{"S′", "scale.twice"}}).report.score == 5.0);
  CHECK(describes("scale.twice", "scale.d_k"));
  CHECK(describes("scale.d_k", "scale.d_k"));
  CHECK(!describes("scale.d_k", "scale.twice"));
  CHECK(!describes("scale.missing", "scale.d_k"));
  CHECK(!describes("", "scale.d_k"));
  CHECK(find_mistake("scale.d_k")->explanation != find_mistake("scale.twice")->explanation);
}

TEST_CASE("bug answer: a number in place of text is read as one") {
  Sheet sheet = bug_sheet("s1", 7, "scale.d_k");
  sheet.bug = BugAnswer{"7", "-"};
  std::string text = sheet_json(sheet);
  const std::size_t at = text.find("\"7\"");
  REQUIRE(at != text.npos);
  text.replace(at, 3, "7");
  const SheetFile read = parse_sheet(text, "s1.json");
  CHECK(read.sheet.bug->first_wrong == "7");
  CHECK(!read.sheet.bug->code);  // a dash is a blank
}
