// What can be filled in without work: a leaky sheet is refused, others then earn next to nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "support/exercises.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

constexpr double kWithin = 0.01;
constexpr double kMost = 0.05;  // of the points
constexpr double kWithLuck = 0.15;

SheetStep& step_of(Sheet& sheet, const std::string& id) {
  return *std::find_if(sheet.steps.begin(), sheet.steps.end(),
                       [&](const SheetStep& step) { return step.id == id; });
}

/// A causal sheet whose only blanks are those cells of one step for which `is_blank` holds.
struct Leaky {
  Sheet sheet, key;
  Leaky(const std::string& id, bool (*is_blank)(const SheetStep& step, std::size_t cell))
      : sheet(usual_sheet("causal").key), key(sheet) {
    for (SheetStep& step : sheet.steps) std::fill(step.blank.begin(), step.blank.end(), char{0});
    SheetStep& step = step_of(sheet, id);
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (is_blank(step, i)) step.blank[i] = 1;
    }
    for (std::size_t s = 0; s < sheet.steps.size(); ++s) {
      SheetStep& each = sheet.steps[s];
      key.steps[s].blank = each.blank;
      for (std::size_t i = 0; i < each.blank.size(); ++i) {
        if (each.blank[i] != 0) each.numbers[i] = std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
  /// No mistake is asked for: "none" is no code, and is quicker than all that the sheet shows.
  Proof proof() const { return prove_sheet(sheet, key, std::vector<std::string>{"none"}, kMost); }
};

void is_refused(const Leaky& leaky, const std::string& guess) {
  const Proof proof = leaky.proof();
  CAPTURE(proof.guess);
  CHECK(proof.key_score == 1.0);
  CHECK(proof.guess_score == 1.0);
  const std::string most = std::to_string(std::lround(100.0 * proof.guess_luck * kMost));
  CHECK(std::count(proof.problems.begin(), proof.problems.end(), guessed(guess, "100", most)) == 1);
}

/// What a sheet takes for right.
bool is_right(double a, double b) { return std::abs(a - b) <= kWithin * (1.0 + 1e-9); }

/// The share of the points of the numbers that `guess(step, cell)` gives, by plain loops: only what
/// is right counts.
template <class Guess>
double points_for(const Sheet& sheet, const Trace& truth, Guess guess) {
  double points = 0.0, all = 0.0;
  for (const SheetStep& step : sheet.steps) {
    double blanks = 0.0, right = 0.0;
    for (std::size_t i = 0; i < step.blank.size(); ++i) {
      if (step.blank[i] == 0) continue;
      blanks += 1.0;
      right += is_right(guess(step, i), truth.value(step.id).data()[i]) ? 1.0 : 0.0;
    }
    if (blanks == 0.0) continue;
    points += step.points * right / blanks;
    all += step.points;
  }
  return points / all;
}

/// The rest of a row whose other numbers are printed, if rows add up to 1.
double rest_of_row(const SheetStep& step, std::size_t cell) {
  const auto cols = static_cast<std::size_t>(step.shape.back());
  double rest = 1.0;
  for (std::size_t i = cell - cell % cols, n = 0; n < cols; ++i, ++n) {
    if (i != cell) rest -= step.numbers[i];  // NaN for another blank
  }
  return rest;
}

/// The number below, or in the first row; NaN for another blank.
double next_row(const SheetStep& step, std::size_t cell) {
  return step.numbers[(cell + static_cast<std::size_t>(step.shape.back())) % step.numbers.size()];
}

/// What the printed weights of a row leave, shared equally by its blanks.
double equal_share(const SheetStep& step, std::size_t cell) {
  const auto cols = static_cast<std::size_t>(step.shape.back());
  double rest = 1.0, blanks = 0.0;
  for (std::size_t i = cell - cell % cols, n = 0; n < cols; ++i, ++n) {
    if (step.blank[i] != 0) {
      blanks += 1.0;
    } else {
      rest -= step.numbers[i];
    }
  }
  return rest / blanks;
}

/// Another row whose query is the same, or `row`.
Index twin_of(const Tensor& q, Index row) {
  for (Index r = 0; r < q.rows(); ++r) {
    bool same = r != row;
    for (Index c = 0; c < q.cols(); ++c) same = same && q.at({0, 0, r, c}) == q.at({0, 0, row, c});
    if (same) return r;
  }
  return row;
}

}  // namespace

TEST_CASE("guesses: rows of equal queries are not printed beside each other's blanks") {
  std::vector<std::string> students;
  for (int i = 0; i < 24; ++i) students.push_back("s" + std::to_string(i));
  ExerciseSpec spec = spec_of("softmax");
  spec.mistakes = {"softmax.columns"};
  int twins = 0;
  for (const ExerciseVariant& each : make_exercise(spec, "salt", students)) {
    const Trace truth = attend(make_problem(each.sheet.problem));
    const Tensor& q = truth.value("q");
    for (Index r = 0; r < q.rows(); ++r) twins += twin_of(q, r) != r;
    const double copied = points_for(each.sheet, truth, [&](const SheetStep& step, std::size_t i) {
      const auto cols = static_cast<std::size_t>(step.shape.back());
      const auto row = static_cast<Index>(i / cols);
      return step.numbers[static_cast<std::size_t>(twin_of(q, row)) * cols + i % cols];
    });
    CHECK(copied == 0.0);
    CHECK(each.proof.guess_score <= each.proof.guess_luck * kMost);
  }
  CHECK(twins > 0);
}

TEST_CASE("guesses: no step is the wrong one on nearly all sheets with a mistake to find") {
  std::vector<std::string> students;
  for (int i = 0; i < 24; ++i) students.push_back("s" + std::to_string(i));
  int of_weights = 0;
  for (const ExerciseVariant& each : make_exercise(spec_of("find-the-bug"), "salt", students))
    of_weights += each.key.bug->first_wrong == "weights";
  CHECK(of_weights > 6);
  CHECK(of_weights < 18);
}

TEST_CASE("guesses: a sheet whose blanks can be filled in without work is refused") {
  is_refused(
      Leaky("weights", [](const SheetStep& step, std::size_t i) { return step.numbers[i] == 0.0; }),
      a_sheet("zeros"));
  is_refused(
      Leaky("weights", [](const SheetStep& step, std::size_t i) { return step.numbers[i] == 1.0; }),
      "a sheet of ones");
  // the first token sees only itself
  is_refused(Leaky("output", [](const SheetStep&, std::size_t i) { return i < 3; }),
             a_sheet("copies of v"));
  is_refused(Leaky("weights", [](const SheetStep&, std::size_t i) { return i % 4 == 1 && i > 4; }),
             "what printed numbers give away");
  is_refused(Leaky("scaled_scores", [](const SheetStep& step,
                                       std::size_t i) { return std::abs(step.numbers[i]) > 1.1; }),
             "what printed numbers give away");
}

TEST_CASE("guesses: work that nothing gives away is no guess") {
  const Leaky leaky("output", [](const SheetStep& step, std::size_t i) {
    return std::abs(step.numbers[i]) > 0.1 && std::abs(step.numbers[i] - 1.0) > 0.1;
  });
  CHECK(leaky.proof().guess_score < 0.2);
}

TEST_CASE("guesses: a sheet that is made earns at most 5% without work, 15% with luck") {
  for (const char* preset : {"self", "causal", "multihead", "cross"}) {
    CAPTURE(preset);
    for (const ExerciseVariant& each : usual_sheets(preset)) {
      const Sheet& sheet = each.sheet;
      const Trace truth = attend(make_problem(sheet.problem));
      const auto constant = [](double x) {
        return [x](const SheetStep&, std::size_t) { return x; };
      };
      CHECK(points_for(sheet, truth, constant(0.0)) <= kMost);
      CHECK(points_for(sheet, truth, constant(1.0)) <= kMost);
      CHECK(points_for(sheet, truth, rest_of_row) <= kMost);
      for (const SheetStep& from : sheet.steps) {
        CAPTURE(from.id);
        const auto copied = [&](const SheetStep& step, std::size_t i) {
          return step.shape == from.shape && step.id != from.id
                     ? from.numbers[i]
                     : std::numeric_limits<double>::quiet_NaN();
        };
        CHECK(points_for(sheet, truth, copied) <= kMost);
      }
      for (const double x : {-1.0, 2.0, -2.0})
        CHECK(points_for(sheet, truth, constant(x)) <= kWithLuck);
      CHECK(points_for(sheet, truth, next_row) <= kWithLuck);
      CHECK(points_for(sheet, truth, equal_share) <= kWithLuck);
      CHECK(each.proof.guess_score <= each.proof.guess_luck * kMost);
      CHECK(points_for(sheet, truth, [&](const SheetStep& step, std::size_t i) {
              return truth.value(step.id).data()[i];
            }) == 1.0);
    }
  }
}

}  // namespace attn::testing
