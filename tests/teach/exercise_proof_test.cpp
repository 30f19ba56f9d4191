// The proof of a sheet: mistakes are found in its blanks alone, and a spoilt sheet does not pass.
#include "attn/teach/exercise.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/attend.hpp"
#include "attn/check.hpp"
#include "attn/error.hpp"
#include "attn/teach/mistakes.hpp"
#include "support/exercises.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

using Codes = std::vector<std::string>;

bool has(const Codes& codes, const std::string& code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

SheetStep& sheet_step(Sheet& sheet, const std::string& id) {
  return *std::find_if(sheet.steps.begin(), sheet.steps.end(),
                       [&](const SheetStep& step) { return step.id == id; });
}

CheckReport checked(const Sheet& sheet) {
  CheckOptions options;
  options.tolerance = Tolerance{.absolute = sheet.accept_within};
  return check_answers(attend(make_problem(sheet.problem)), answers_of(sheet), options);
}

/// The sheet with the numbers of a trace, rounded, in the blanks up to the first step that differs.
Sheet begun_wrongly(Sheet sheet, const Trace& truth, const Trace& wrong) {
  for (SheetStep& step : sheet.steps) {
    bool differs = false;
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const double ours = truth.value(step.id).data()[i];
      const double theirs = wrong.value(step.id).data()[i];
      differs = differs || !(std::abs(theirs - ours) <= sheet.accept_within || theirs == ours);
      if (step.blank[i]) step.numbers[i] = std::round(theirs * 1000.0) / 1000.0;
    }
    if (differs) break;
  }
  return sheet;
}

/// The codes that are named for the first wrong step.
Codes named_codes(const CheckReport& report) {
  for (const StepReport& step : report.steps) {
    if (step.id != report.first_wrong || step.findings.empty()) continue;
    Codes codes = step.findings.front().same_as;
    codes.push_back(step.findings.front().code);
    return codes;
  }
  return {};
}

/// The sheet with a step printed in full.
Sheet printed(Sheet sheet, const Sheet& key, const std::string& id) {
  SheetStep& step = sheet_step(sheet, id);
  Sheet solved = key;
  step.numbers = sheet_step(solved, id).numbers;
  std::fill(step.blank.begin(), step.blank.end(), char{0});
  return sheet;
}

bool complains(const Proof& proof, const std::string& words) {
  return std::any_of(proof.problems.begin(), proof.problems.end(), [&](const std::string& problem) {
    return problem.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("exercise: every mistake is named by the blanks of the step in which it begins") {
  for (const char* preset : {"causal", "multihead"}) {
    const auto [sheet, key, proof, tries] = usual_sheet(preset);
    const Trace truth = attend(make_problem(sheet.problem));
    for (const std::string& code : proof.found) {
      CAPTURE(code);
      if (code == "scale.twice") continue;  // wrong only from the next step on
      const Trace wrong = with_mistake(truth, code);
      CHECK(has(named_codes(checked(begun_wrongly(sheet, truth, wrong))), code));
    }
    CHECK(has(proof.found, "scale.missing"));
    CHECK(has(proof.found, "softmax.columns"));
  }
}

TEST_CASE("exercise: the usual mistakes with masks, heads and memories are found by default") {
  CHECK(has(usual_sheet("causal").proof.found, "mask.after_softmax"));
  CHECK(has(usual_sheet("multihead").proof.found, "heads.split_reshaped"));
  const Proof cross = usual_sheet("cross").proof;
  CHECK(has(cross.found, "values.from_w_k"));
  CHECK(has(cross.blindness.unseen, "cross.self"));  // its shape is not the one printed
  const Proof softmax = usual_sheet("softmax").proof;
  CHECK(has(softmax.found, "scale.after_softmax"));
  CHECK(has(softmax.blindness.unseen, "scale.missing"));  // scaled scores are printed
}

TEST_CASE("exercise: without the blanks that show a mistake, the proof fails") {
  const auto [sheet, key, proof, tries] = usual_sheet("causal");
  const Codes codes = {"scale.missing", "values.from_w_k"};
  REQUIRE(prove_sheet(sheet, key, codes).problems.empty());
  const Proof less = prove_sheet(printed(sheet, key, "scaled_scores"), key, codes);
  CHECK(less.missed == Codes{"scale.missing"});
  CHECK(has(less.blindness.unseen, "scale.missing"));
  CHECK(complains(less, not_shown("scale.missing")));
  CHECK(prove_sheet(printed(sheet, key, "v"), key, codes).missed == Codes{"values.from_w_k"});
}

TEST_CASE("exercise: mistakes that only a printed step tells apart are tied") {
  ExerciseSpec spec = spec_of("self");
  spec.steps = {{"weights", 1}, {"output", 1}};
  const Proof proof = only_sheet(spec, "salt", "a").proof;
  const auto tied = [&](const char* one, const char* other) {
    return std::any_of(proof.blindness.tied.begin(), proof.blindness.tied.end(),
                       [&](const Codes& group) { return has(group, one) && has(group, other); });
  };
  CHECK(tied("queries_keys.swapped", "scores.transposed"));
  CHECK_FALSE(tied("scale.missing", "scale.d_k"));
}

TEST_CASE("exercise: a key with a wrong number, or a sheet with a right one in it, does not pass") {
  const auto [sheet, key, proof, tries] = usual_sheet("self");
  Sheet wrong = key, started = sheet;
  const auto blank = std::find(wrong.steps[0].blank.begin(), wrong.steps[0].blank.end(), 1);
  const auto at = static_cast<std::size_t>(blank - wrong.steps[0].blank.begin());
  wrong.steps[0].numbers[at] += 0.5;
  CHECK(complains(prove_sheet(sheet, wrong, proof.found), "the key does not get full points"));
  CHECK(prove_sheet(sheet, wrong, proof.found).key_score < 1.0);
  started.steps[0].numbers[at] = key.steps[0].numbers[at];
  CHECK(complains(prove_sheet(started, key, proof.found),
                  "the sheet scores points before it is filled in"));
}

TEST_CASE("exercise: a sheet whose cells do not belong to its problem is an error") {
  auto [sheet, key, proof, tries] = usual_sheet("self");
  sheet.steps[0].blank.push_back(1);
  CHECK_THROWS_WITH_AS(solved_sheet(sheet),
                       "q has 13 cells on the sheet, and 12 in the computation", Error);
}

TEST_CASE("exercise: with a tolerance below its decimals, a sheet does not pass") {
  auto [sheet, key, proof, tries] = usual_sheet("self");
  sheet.accept_within = key.accept_within = 0.0001;
  CHECK(complains(prove_sheet(sheet, key, Codes{"softmax.columns"}),
                  "a solver who rounds every number does not get full points"));
}

TEST_CASE("exercise: a solved sheet has the right numbers, to its decimals") {
  for (const int decimals : {2, 3}) {
    ExerciseSpec spec = quick_spec_of("causal");
    spec.decimals = decimals;
    const auto [sheet, key, proof, tries] = only_sheet(spec, "salt", "a");
    CHECK(sheet.accept_within == (decimals == 2 ? 0.02 : 0.01));
    const Sheet solved = solved_sheet(sheet);
    const Trace truth = attend(make_problem(sheet.problem));
    for (std::size_t s = 0; s < solved.steps.size(); ++s) {
      CHECK(solved.steps[s].numbers == key.steps[s].numbers);
      for (std::size_t i = 0; i < solved.steps[s].numbers.size(); ++i) {
        const double right = truth.value(solved.steps[s].id).data()[i];
        CHECK(std::abs(solved.steps[s].numbers[i] - right) <= 0.5001 * std::pow(10, -decimals));
      }
    }
  }
}

TEST_CASE("find the bug: the sheet is worked with a mistake, and no other explains it") {
  const std::vector<std::string> students = {"a", "b", "c", "d", "e", "f"};
  std::vector<std::string> codes;
  double by_attn = 0.0;
  for (const auto& [sheet, key, proof, tries] :
       make_exercise(spec_of("find-the-bug"), "salt", students)) {
    REQUIRE(sheet.bug);
    CHECK_THROWS_AS(make_problem(sheet.problem), Error);
    by_attn += solved_by_attn(sheet, key);  // with the printed scores as Q, and an identity as K
    Sheet without_scores = sheet;
    std::erase_if(without_scores.steps, [](const SheetStep& step) { return step.id == "scores"; });
    CHECK(solved_by_attn(without_scores, key) == 0.0);
    CHECK(solved_by_attn(key, key) == 1.0);
    CHECK_FALSE(sheet.bug->code);
    CHECK_FALSE(sheet.bug->first_wrong);
    CHECK(sheet.bug_points > 0.0);
    REQUIRE(key.bug->code);
    codes.push_back(*key.bug->code);
    const Trace truth = attend(make_problem(key.problem));
    Answers answers = answers_of(sheet);
    for (Answer& each : answers.matrices) {
      CHECK(std::count(each.states.begin(), each.states.end(), CellState::Given) ==
            std::ssize(each.numbers));
      each.states.clear();
    }
    const CheckReport report = check_answers(truth, answers);
    CHECK(report.first_wrong == key.bug->first_wrong);
    CHECK(named_codes(report) == Codes{*key.bug->code});
    CHECK(solved_sheet(key).bug->code == key.bug->code);
    CHECK(proof.found == Codes{*key.bug->code});
  }
  CHECK(by_attn >= 5.0);  // of 6: make must not promise more than these sheets keep
  std::sort(codes.begin(), codes.end());
  CHECK(std::unique(codes.begin(), codes.end()) - codes.begin() >= 3);
}

TEST_CASE("find the bug: a sheet without a mistake, or with the wrong answer, does not pass") {
  const auto [sheet, key, proof, tries] = usual_sheet("find-the-bug");
  Sheet other = key;
  other.bug->code = key.bug->code == "scale.missing" ? "scale.d_k" : "scale.missing";
  CHECK(prove_sheet(sheet, other, {}).key_score == 0.5);
  CHECK(complains(prove_sheet(sheet, other, {}), "full points"));
  Sheet right = sheet;
  const Trace truth = attend(make_problem(key.problem));
  for (SheetStep& step : right.steps) step.numbers = truth.value(step.id).data().copy();
  CHECK(complains(prove_sheet(right, key, {}), "full points"));
}

}  // namespace attn::testing
