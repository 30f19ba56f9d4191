// Exercises that are refused, and the rules for blanks.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/suggest.hpp"
#include "attn/teach/exercise.hpp"
#include "support/errors.hpp"
#include "support/exercises.hpp"
#include "support/phrases.hpp"
#include "teach/exercise/blanks.hpp"
#include "teach/exercise/drawn_sheet.hpp"
#include "teach/exercise/proof.hpp"

namespace attn::testing {
namespace {

/// The first diagnostic of what the spec throws.
Diagnostic refused(const ExerciseSpec& spec) {
  const std::optional<Error> error = error_if_refused([&] { only_sheet(spec, "salt", "a"); });
  if (!error) return {};
  CHECK(error->kind() == ErrorKind::Usage);
  return error->diagnostics().front();
}

/// The causal preset, changed.
ExerciseSpec changed(const std::function<void(ExerciseSpec&)>& change) {
  ExerciseSpec spec = spec_of("causal");
  change(spec);
  return spec;
}

/// The same, with few mistakes to prove.
ExerciseSpec quick(const std::function<void(ExerciseSpec&)>& change) {
  ExerciseSpec spec = quick_spec_of("causal");
  change(spec);
  return spec;
}

Index blanks_of(const SheetStep& step) {
  return std::count(step.blank.begin(), step.blank.end(), 1);
}

}  // namespace

TEST_CASE("exercise: sizes that make a mistake right by accident are refused") {
  const auto with_sizes = [](Index tokens, Index d_model, Index d_k) {
    return changed([&](ExerciseSpec& spec) {
      spec.tokens = tokens;
      spec.d_model = d_model;
      spec.d_k = d_k;
    });
  };
  CHECK(refused(with_sizes(5, 4, 4)).id == "exercise-blind");
  CHECK(refused(with_sizes(5, 4, 4)).what ==
        "with d_k = 4 and d_model = 4, dividing by √d_model is right by accident");
  CHECK(refused(with_sizes(4, 6, 4)).what ==
        "with d_k = 4 and tokens = 4, dividing by √tokens is right by accident");
  CHECK(refused(with_sizes(5, 4, 2)).what ==
        "with d_k = 2 and d_model = 4, dividing by d_k and by √d_model give the same result");
  CHECK(refused(with_sizes(4, 6, 1)).what == "with d_k = 1, dividing by 1 is right by accident");
  ExerciseSpec heads = spec_of("multihead");
  heads.d_k = 2;
  CHECK(refused(heads).what ==
        "with d_k = 2 and heads = 2, dividing by √heads is right by accident");
  CHECK(refused(with_sizes(4, 6, 4)).fix ==
        "These sizes work: 5 tokens, d_model = 6 and d_k = 4. Or do without scale.tokens.");
  ExerciseSpec works = with_sizes(5, 6, 4);
  works.mistakes = {"scale.tokens", "scale.d_k", "scale.d_model", "scale.missing"};
  CHECK(only_sheet(works, "salt", "a").proof.problems.empty());
  ExerciseSpec cross = spec_of("cross");
  cross.memory_tokens = 3;
  CHECK(
      refused(cross).fix.starts_with("These sizes work: 4 memory tokens, d_model = 6 and d_k = 3"));
}

TEST_CASE("exercise: sizes matter only for the mistakes that must be found, and can be forced") {
  ExerciseSpec square = spec_of("self");
  square.tokens = 5;
  square.d_model = square.d_k = 4;
  square.mistakes = {"softmax.columns", "projection.q_transposed"};
  CHECK(only_sheet(square, "salt", "a").proof.found.size() == 2);
  square.mistakes = {"scale.d_model"};
  CHECK(refused(square).id == "exercise-blind");
  square.force = true;
  const Proof forced = only_sheet(square, "salt", "a").proof;
  CHECK(forced.problems.empty());
}

TEST_CASE("exercise: a mistake that cannot be seen is refused if it is asked for") {
  const auto reason = [](const std::string& code, const std::vector<AskedStep>& steps) {
    return refused(changed([&](ExerciseSpec& spec) {
             spec.mistakes = {code};
             if (!steps.empty()) spec.steps = steps;
           }))
        .what;
  };
  CHECK(reason("heads.order", {}) == unseen("heads.order") + kCannotOccur);
  CHECK(reason("values.unprojected", {}) == unseen("values.unprojected") +
                                                "its result does not have the "
                                                "shape on the sheet, or is not a number");
  CHECK(reason("softmax.overflow", {}) == unseen("softmax.overflow") +
                                              "in 8 problems of this kind, it changed "
                                              "no blank enough to be seen");
  CHECK(reason("values.from_w_k", {{"scores", 1}, {"weights", 1}}) ==
        unseen("values.from_w_k") +
            "in 8 problems of this kind, it changed "
            "no blank enough to be seen");
}

TEST_CASE("exercise: a spec that no problem can meet is refused with the reason") {
  struct Row {
    std::string id, what;
    std::function<void(ExerciseSpec&)> change;
  };
  const std::vector<Row> rows = {
      {"exercise-spec", "\"../x\" cannot be the name of an exercise",
       [](ExerciseSpec& spec) { spec.name = "../x"; }},
      {"exercise-spec", "a sheet can have 1 to 6 decimals, not 0",
       [](ExerciseSpec& spec) { spec.decimals = 0; }},
      {"exercise-spec", "accept_within must be a number above 0",
       [](ExerciseSpec& spec) { spec.accept_within = 0.0; }},
      {"exercise-spec", "the share of blanks must be above 0 and at most 1",
       [](ExerciseSpec& spec) { spec.blanks.share = 1.5; }},
      {"exercise-spec", "the step q is named twice",
       [](ExerciseSpec& spec) {
         spec.steps.push_back({"q", 1});
       }},
      {"exercise-spec", "the points of q must be 0 to 1000000",
       [](ExerciseSpec& spec) {
         spec.steps = {{"q", 1e308}};
       }},
      {"exercise-spec", "the mistake scale.missing is named twice",
       [](ExerciseSpec& spec) {
         spec.mistakes = {"scale.missing", "scale.missing"};
       }},
      {"exercise-spec", "no step has points, so there is nothing to fill in",
       [](ExerciseSpec& spec) {
         spec.steps = {{"q", 0}};
       }},
      {"exercise-spec", no_such("mistake", "scale.mising") + did_you_mean({"scale.missing"}),
       [](ExerciseSpec& spec) { spec.mistakes = {"scale.mising"}; }},
      {"exercise-spec", "dropout.on cannot be required of a sheet: it can only be recognised",
       [](ExerciseSpec& spec) { spec.mistakes = {"dropout.on"}; }},
      {"no-such-step", "",
       [](ExerciseSpec& spec) {
         spec.steps = {{"concat", 1}};
       }},
      {"exercise-spec", "x is given, so there is nothing to work out",
       [](ExerciseSpec& spec) {
         spec.steps = {{"x", 1}};
       }},
      {"exercise-spec", "tokens must be 1 to 32, not 0",
       [](ExerciseSpec& spec) { spec.tokens = 0; }},
      {"exercise-spec", "memory_tokens must be 1 to 32, not 33",
       [](ExerciseSpec& spec) { spec.memory_tokens = 33; }},
      {"exercise-spec", "5 heads of d_k = 7 are 35 columns, and an exercise has at most 32",
       [](ExerciseSpec& spec) {
         spec.heads = 5;
         spec.d_k = 7;
       }},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const Diagnostic wrong = refused(changed(row.change));
    CHECK(wrong.id == row.id);
    if (!row.what.empty()) CHECK(wrong.what == row.what);
    CHECK_FALSE(wrong.fix.empty());
  }
}

TEST_CASE("exercise: a tolerance that rounding exceeds is refused") {
  const Diagnostic wrong = refused(quick([](ExerciseSpec& spec) {
    spec.decimals = 1;
    spec.accept_within = 0.001;
  }));
  CHECK(wrong.id == "exercise-spec");
  CHECK(wrong.what ==
        "±0.001 is too strict for 1 decimal: a solver who rounds every number would not get full "
        "points");
  CHECK(wrong.fix == "Ask for 2 decimals, without accept_within, or accept ±0.1.");
}

TEST_CASE("exercise: what guesses score and may score differ in the message, too") {
  Proof proof;
  proof.guess = a_sheet("zeros");
  for (const auto& [score, percent] : {std::pair{0.9, "90"}, {0.0525, "5.3"}, {0.0501, "5.01"}}) {
    proof.guess_score = score;
    CHECK(guess_text(proof, 0.05) == guessed(proof.guess, percent, "5"));
  }
}

TEST_CASE("exercise: a tolerance that gives points to zeros, or hides every mistake, is refused" *
          doctest::test_suite("long")) {
  ExerciseSpec loose = changed([](ExerciseSpec& spec) { spec.accept_within = 5.0; });
  CHECK(refused(loose).id == "exercise-blind");
  CHECK(refused(loose).what == "with ±5, " + guessed(a_sheet("zeros"), "95", "5"));
  CHECK(refused(loose).fix == "Accept less, ask for other steps, or take it as it is.");
  loose.force = true;
  const auto [sheet, key, proof, tries] = only_sheet(loose, "salt", "a");
  CHECK(proof.guess_score > 0.9);
  CHECK_FALSE(prove_sheet(sheet, key, {}).problems.empty());
  CHECK(prove_sheet(sheet, key, {}, 1.0).problems.empty());
  ExerciseSpec blunt = quick_spec_of("self");
  blunt.steps = {{"q", 1}};
  blunt.accept_within = 0.5;
  CHECK(refused(blunt).what == "with ±0.5, no mistake can be seen in the blanks");
  CHECK(refused(blunt).fix == "Choose other numbers, or ask for other steps.");  // for q alone
  ExerciseSpec sparse = spec_of("softmax");  // its right numbers are nearly all 0
  sparse.masks = {"window:0"};
  sparse.steps = {{"weights", 1}};
  sparse.blanks.kind = BlankRule::Kind::All;
  CHECK(refused(sparse).what == "with ±0.01, " + guessed(a_sheet("copies of mask"), "100", "50"));
  CHECK(refused(sparse).fix == "Ask for other steps or for fewer blanks, or take it as it is.");
}

TEST_CASE("exercise: the default tolerance suits 1, 2, 3 and 6 decimals") {
  for (const int decimals : {1, 2, 3, 6}) {
    CAPTURE(decimals);
    const ExerciseSpec spec = quick([&](ExerciseSpec& each) { each.decimals = decimals; });
    CHECK(only_sheet(spec, "salt", "a").proof.rounded_score == 1.0);
  }
}

TEST_CASE("exercise: one or two steps are enough for a sheet") {
  using Asked = std::vector<AskedStep>;
  for (const Asked& steps : {Asked{{"q", 1}}, Asked{{"scores", 1}}, Asked{{"weights", 3}},
                             Asked{{"scaled_scores", 1}, {"weights", 3}}}) {
    ExerciseSpec spec = spec_of("self");
    spec.steps = steps;
    CAPTURE(steps.front().id);
    CHECK(make_exercise(spec, "salt", std::vector<std::string>{"a", "b", "c"}).size() == 3);
  }
}

TEST_CASE("exercise: no mistake is tied with itself") {
  ExerciseSpec spec = spec_of("multihead");
  spec.masks = {"causal", "window:2"};
  spec.mistakes = {"scale.d_k", "scale.missing", "mask.after_softmax"};
  for (std::vector<std::string> group : only_sheet(spec, "salt", "a").proof.blindness.tied)
    CHECK(std::unique(group.begin(), group.end()) == group.end());
}

TEST_CASE("exercise: when no sheet is found, the error gives the most frequent cause" *
          doctest::test_suite("long")) {
  const Diagnostic wrong = refused(changed([](ExerciseSpec& spec) {
    spec.blanks.kind = BlankRule::Kind::One;
    spec.steps = {{"weights", 1}};
    spec.mistakes = {"mask.missing",       "mask.leak",         "mask.after_softmax",
                     "mask.diagonal",      "softmax.columns",   "softmax.base_2",
                     "softmax.base_10",    "softmax.twice",     "scale.d_model",
                     "scale.twice",        "keys.from_w_q",     "queries_keys.swapped",
                     "scores.query_query", "scores.transposed", "mask.triangle_flipped"};
  }));
  CHECK(wrong.id == "exercise-gave-up");
  CHECK(wrong.what ==
        "found no sheet for \"a\" in 300 tries: most often, its blanks did not show every mistake");
}

TEST_CASE("exercise: blanks follow their rule") {
  for (const auto kind :
       {BlankRule::Kind::Share, BlankRule::Kind::All, BlankRule::Kind::Row, BlankRule::Kind::One}) {
    const ExerciseSpec spec =
        quick([&](ExerciseSpec& each) { each.blanks = {.kind = kind, .share = 0.4}; });
    const Sheet sheet = only_sheet(spec, "salt", "a").sheet;
    for (const SheetStep& step : sheet.steps) {
      CAPTURE(step.id);
      const Index cells = std::ssize(step.blank), row = step.shape.back();
      if (kind == BlankRule::Kind::All) CHECK(blanks_of(step) == cells);
      if (kind == BlankRule::Kind::One)
        CHECK(blanks_of(step) == (step.id == "weights" ? 2 : 1));  // a row adds up to 1
      if (kind == BlankRule::Kind::Share) {
        CHECK(blanks_of(step) >= (2 * cells + 2) / 5);
        CHECK(blanks_of(step) <= cells / 2);
      }
      if (kind != BlankRule::Kind::Row) continue;
      CHECK(blanks_of(step) == row);
      const auto first = std::find(step.blank.begin(), step.blank.end(), 1) - step.blank.begin();
      CHECK(first % row == 0);
      CHECK(std::count(step.blank.begin() + first, step.blank.begin() + first + row, 1) == row);
    }
  }
}

TEST_CASE("exercise: the blanks of weights are never only those that need no computing") {
  for (const auto kind : {BlankRule::Kind::Share, BlankRule::Kind::Row, BlankRule::Kind::One}) {
    const ExerciseSpec spec = quick([&](ExerciseSpec& each) { each.blanks.kind = kind; });
    for (const auto& [sheet, key, proof, tries] :
         make_exercise(spec, "salt", std::vector<std::string>{"a", "b", "c"})) {
      const Trace truth = attend(make_problem(sheet.problem));
      const NumberSpan weights = truth.value("weights").data();
      bool computed = false;
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const bool blank = sheet.steps[5].blank[i] == 1;
        computed = computed || (blank && weights[i] != 0.0 && weights[i] != 1.0);
      }
      CHECK(sheet.steps[5].id == "weights");
      CHECK(computed);
    }
  }
}

TEST_CASE("exercise: at most half of the blanks of weights need no computing") {
  const ExerciseSpec spec = quick([](ExerciseSpec& each) {
    each.tokens = 5;
    each.masks = {"causal", "window:1"};  // 17 of 25 weights are 0 or 1
  });
  const Sheet sheet = only_sheet(spec, "salt", "a").sheet;
  const Trace truth = attend(make_problem(sheet.problem));
  const NumberSpan weights = truth.value("weights").data();
  const SheetStep& step = sheet.steps[5];
  REQUIRE(step.id == "weights");
  Index trivial = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    trivial += step.blank[i] == 1 && (weights[i] == 0.0 || weights[i] == 1.0);
  CHECK(2 * trivial <= blanks_of(step));
}

TEST_CASE("exercise: each mistake shows in two blanks, or in all cells in which it can show") {
  const ExerciseSpec spec = spec_of("causal");
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    SheetModel paper(drawn_sheet(spec, seed));
    const Suspects suspects(paper.truth);
    Draws draws(seed);
    choose_blanks(paper, {.share = 0.2}, suspects, {}, draws);
    for (const std::optional<Cells>& mistaken : worked_by_all(paper, suspects)) {
      Index seen = 0, all = 0;
      for (std::size_t i = 0; mistaken && i < paper.numbers.size(); ++i) {
        if (!paper.clearly_differ((*mistaken)[i], paper.numbers[i])) continue;
        ++all;
        seen += paper.blank[i];
      }
      CHECK(seen >= std::min<Index>(all, 2));
    }
  }
}

TEST_CASE("exercise: a step without points is printed in full") {
  const Sheet sheet = only_sheet(spec_of("softmax"), "salt", "a").sheet;
  REQUIRE(sheet.steps[0].id == "scaled_scores");
  CHECK(blanks_of(sheet.steps[0]) == 0);
  CHECK(blanks_of(sheet.steps[1]) > 0);
}

}  // namespace attn::testing
