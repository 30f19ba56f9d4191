// The rule by which cells that follow earn points, against a grader of plain loops.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "attn/attend.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/grading.hpp"
#include "support/compare.hpp"
#include "support/pace.hpp"

using namespace attn;

namespace {

constexpr int kTokens = 4, kKeys = 3;
const double kNothing = std::numeric_limits<double>::quiet_NaN();

using Matrix = std::vector<std::vector<double>>;
using Matrices = std::map<std::string, Matrix>;

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.size(), std::vector<double>(b.front().size(), 0.0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.front().size(); ++j) {
      for (std::size_t k = 0; k < b.size(); ++k) c[i][j] += a[i][k] * b[k][j];
    }
  }
  return c;
}

/// What a step makes of the matrices before it; NaN where one of their numbers is not there.
Matrix made(const std::string& id, const Matrices& from) {
  if (id == "q" || id == "k" || id == "v") return product(from.at("x"), from.at("w_" + id));
  if (id == "output") return product(from.at("weights"), from.at("v"));
  Matrix s(kTokens, std::vector<double>(kTokens, 0.0));
  for (std::size_t i = 0; i < kTokens; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < kTokens; ++j) {
      if (id == "scaled_scores") s[i][j] = from.at("scores")[i][j] / std::sqrt(3.0);
      for (std::size_t c = 0; id == "scores" && c < kKeys; ++c)
        s[i][j] += from.at("q")[i][c] * from.at("k")[j][c];
      if (id == "weights" && j <= i) s[i][j] = std::exp(from.at("scaled_scores")[i][j]);
      sum += s[i][j];
    }
    for (double& x : s[i]) x /= id == "weights" ? sum : 1.0;
  }
  return s;
}

Matrix given(const Array& array) {
  Matrix m;
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    if (i % static_cast<std::size_t>(array.shape.back()) == 0) m.emplace_back();
    m.back().push_back(array.data[i]);
  }
  return m;
}

Matrices givens_of(const ProblemDraft& problem) {
  Matrices from{{"x", given(*problem.embeddings)}};
  for (const auto& [name, array] : problem.weights) from[name] = given(array);
  return from;
}

const std::map<std::string, std::vector<std::string>> kUses{
    {"q", {"x", "w_q"}},         {"k", {"x", "w_k"}},           {"v", {"x", "w_v"}},
    {"scores", {"q", "k"}},      {"scaled_scores", {"scores"}}, {"weights", {"scaled_scores"}},
    {"output", {"weights", "v"}}};

/// The largest number of a step and of those that it uses.
double largest(const std::string& id, const Matrices& truth) {
  double most = 0.0;
  std::vector<std::string> all = kUses.at(id);
  all.push_back(id);
  for (const std::string& each : all) {
    for (const auto& row : truth.at(each)) {
      for (const double x : row) most = std::max(most, std::abs(x));
    }
  }
  return most;
}

/// The points of a sheet by the rule: right, or following from what is there, where at least half
/// of the blanks of each step that it uses earn points, and without numbers that are too large.
double points(const Sheet& sheet, double& following, int& too_large) {
  Matrices truth = givens_of(sheet.problem), own = truth;
  std::map<std::string, bool> half;
  double total = 0.0;
  for (const SheetStep& step : sheet.steps) {
    truth[step.id] = made(step.id, truth);
    const Matrix follows = made(step.id, own);
    const std::size_t cols = truth[step.id].front().size();
    own[step.id] = truth[step.id];
    int blanks = 0, right = 0, follow = 0, earned = 0;
    std::vector<std::size_t> large;
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const double x = step.numbers[i];
      own[step.id][i / cols][i % cols] = x;
      if (step.blank[i] == 0) continue;
      ++blanks;
      const auto near = [&](const Matrix& m) {
        return std::abs(x - m[i / cols][i % cols]) <= 0.01 * (1.0 + 1e-9);
      };
      bool allowed = near(follows);
      for (const std::string& id : kUses.at(step.id))
        allowed = allowed && (!half.contains(id) || half[id]);
      right += near(truth[step.id]);
      earned += !near(truth[step.id]) && allowed;
      follow += !near(truth[step.id]) && near(follows);
      const double mine = std::abs(follows[i / cols][i % cols]);
      if (!near(truth[step.id]) && !near(follows) &&
          std::abs(x) > std::max(largest(step.id, truth), std::isnan(mine) ? 0.0 : mine))
        large.push_back(i);
    }
    if (large.size() == 1) {  // a slip, unless it is huge
      const std::size_t i = large.front();
      const double x = std::abs(step.numbers[i]), mine = std::abs(follows[i / cols][i % cols]),
                   ours = std::abs(truth[step.id][i / cols][i % cols]);
      bool slip = x <= 10.0 * largest(step.id, truth);
      for (double places = 10.0; places < 2e6; places *= 10.0) {
        for (const double number : {mine, ours})
          slip = slip || std::abs(x / places - number) <= 0.05 * number;
      }
      if (slip) large.clear();
    }
    if (!large.empty() && 2 * (right + follow) >= blanks) {
      for (const std::size_t i : large) own[step.id][i / cols][i % cols] = kNothing;
      ++too_large;
    }
    half[step.id] = 2 * (right + earned) >= blanks;
    following += earned;
    total += blanks == 0 ? 0.0 : step.points * (right + earned) / blanks;
  }
  return total;
}

/// A student who works from what is there, slips now and then, and leaves some cells out.
Sheet worked(Sheet sheet, std::mt19937& bits) {
  const auto slips = 4 + bits() % 20, holes = 3 + bits() % 20;
  Matrices own = givens_of(sheet.problem), truth = own;
  for (SheetStep& step : sheet.steps) {
    const Matrix follows = made(step.id, own);
    truth[step.id] = made(step.id, truth);
    own[step.id] = follows;
    const std::size_t cols = follows.front().size();
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const double mine = follows[i / cols][i % cols];
      const double x = std::isnan(mine) ? truth[step.id][i / cols][i % cols] : mine;
      if (step.blank[i] != 0) {
        step.numbers[i] = std::round(1000.0 * x) / 1000.0;
        if (bits() % slips == 0) step.numbers[i] += 0.5 + 0.25 * static_cast<double>(bits() % 4);
        if (bits() % (2 * slips) == 0) step.numbers[i] *= -100.0;
        if (bits() % holes == 0) step.numbers[i] = kNothing;
      }
      own[step.id][i / cols][i % cols] = step.numbers[i];
    }
  }
  return sheet;
}

/// The sheet of a student whose only slips are in those blanks of that step.
Sheet with_slips(Sheet sheet, const std::string& slipped, const std::set<std::size_t>& blanks,
                 double by) {
  Matrices own = givens_of(sheet.problem);
  for (SheetStep& step : sheet.steps) {
    own[step.id] = made(step.id, own);
    const std::size_t cols = own[step.id].front().size();
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      double& mine = own[step.id][i / cols][i % cols];
      if (step.blank[i] != 0)
        step.numbers[i] = std::round(1000.0 * mine) / 1000.0 +
                          (step.id == slipped && blanks.contains(i) ? by : 0.0);
      mine = step.numbers[i];
    }
  }
  return sheet;
}

std::vector<ExerciseVariant> class_of(int students) {
  ExerciseSpec spec = exercise_presets()[1].spec;
  spec.name = "following";
  std::vector<std::string> ids;
  for (int i = 0; i < students; ++i) ids.push_back("s" + std::to_string(i));
  return make_exercise(spec, "a salt of some length", ids);
}

/// The solved sheet with other scaled scores in some visible blanks, and the weights that follow
/// from them. `wrong(i, x)` is what is written in the i-th of these blanks; NaN leaves it right.
template <class Wrong>
Sheet with_scaled(const Sheet& key, Wrong wrong) {
  Sheet sheet = key;
  Matrices own;
  int n = 0;
  for (SheetStep& step : sheet.steps) {
    const std::size_t cols = static_cast<std::size_t>(step.shape.back());
    const Matrix follows = step.id == "weights" ? made(step.id, own) : Matrix();
    Matrix& mine = own[step.id];
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const bool visible = i % cols <= i / cols;
      if (step.blank[i] != 0 && step.id == "scaled_scores" && visible) {
        const double x = wrong(n++, step.numbers[i]);
        if (!std::isnan(x)) step.numbers[i] = x;
      }
      if (step.blank[i] != 0 && step.id == "weights")
        step.numbers[i] = std::round(1000.0 * follows[i / cols][i % cols]) / 1000.0;
      if (i % cols == 0) mine.emplace_back();
      mine.back().push_back(step.numbers[i]);
    }
  }
  return sheet;
}

/// How many weights follow.
Index weights_that_follow(const Sheet& key, const Sheet& sheet) {
  for (const StepReport& step : grade_sheet(key, {answers_of(sheet), std::nullopt}).report.steps) {
    if (step.id == "weights")
      return std::count(step.cells.begin(), step.cells.end(), CellVerdict::Follows);
  }
  return 0;
}

}  // namespace

TEST_CASE(
    "following: from several scores larger than any right one nothing follows, nor from a huge one "
    "that is no slip" *
    doctest::test_suite("long")) {
  Index one_slip = 0, unscaled = 0, several = 0, one_huge = 0;
  for (const ExerciseVariant& variant : class_of(6)) {
    const Sheet& key = variant.key;
    for (const double large : {1e9, 300.0, 30.0, -1e9, std::numeric_limits<double>::infinity()}) {
      several += weights_that_follow(
          key, with_scaled(key, [&](int i, double) { return i < 2 ? large : kNothing; }));
    }
    for (const double huge : {1e9, 1e4 + 777.0, 170.0, -1e9})
      one_huge += weights_that_follow(
          key, with_scaled(key, [&](int i, double) { return i == 0 ? huge : kNothing; }));
    for (const double slip : {10.0, 1000.0, -1000.0, 3.0}) {
      one_slip += weights_that_follow(
          key, with_scaled(key, [&](int i, double x) { return i == 0 ? slip * x : kNothing; }));
    }
    unscaled += weights_that_follow(key, with_scaled(key, [](int i, double x) {
                                      return i < 2 ? x * std::sqrt(3.0) : kNothing;
                                    }));
  }
  CHECK(several == 0);
  CHECK(one_huge == 0);
  CHECK(one_slip > 24);
  CHECK(unscaled > 6);
}

TEST_CASE("following: a slip costs its own cell, and not what is computed from it" *
          doctest::test_suite("long")) {
  std::size_t slips = 0;
  for (const ExerciseVariant& variant : class_of(4)) {
    for (const SheetStep& step : variant.sheet.steps) {
      const auto blanks = std::count(step.blank.begin(), step.blank.end(), 1);
      for (std::size_t i = 0; i < step.blank.size() && blanks > 1; ++i) {
        if (step.blank[i] == 0) continue;
        CAPTURE(step.id);
        CAPTURE(i);
        const Sheet mine = with_slips(variant.sheet, step.id, {i}, 1.0);
        const Grade grade = grade_sheet(variant.key, {answers_of(mine), std::nullopt});
        CHECK(testing::close(grade.report.max_score - step.points / static_cast<double>(blanks),
                             grade.report.score));
        ++slips;
      }
    }
  }
  CHECK(slips > 100);
}

TEST_CASE(
    "following: from queries and keys larger than any right one, no weight earns by following" *
    doctest::test_suite("long")) {
  for (const ExerciseVariant& variant : class_of(6)) {
    for (const SheetStep& step : variant.sheet.steps) {
      if (step.id != "q" && step.id != "k") continue;
      std::set<std::size_t> large;
      for (std::size_t i = 0; i < step.blank.size() && large.size() < 2; ++i) {
        if (step.blank[i] != 0) large.insert(i);
      }
      REQUIRE(std::count(step.blank.begin(), step.blank.end(), 1) >= 4);
      for (const double by : {1e6, 1e3}) {
        CAPTURE(by);
        CAPTURE(step.id);
        const Sheet mine = with_slips(variant.sheet, step.id, large, by);
        const Grade grade = grade_sheet(variant.key, {answers_of(mine), std::nullopt});
        for (const StepReport& each : grade.report.steps) {
          if (each.id != "weights" || !each.unearned_for.empty()) continue;
          CHECK(std::count(each.cells.begin(), each.cells.end(), CellVerdict::Follows) == 0);
        }
      }
    }
  }
}

TEST_CASE("following: points agree with a grader of plain loops" * doctest::test_suite("long")) {
  std::mt19937 bits(17);
  double following = 0.0;
  int too_large = 0;
  for (const ExerciseVariant& variant : class_of(6)) {
    for (int i = 0; i < 40 / static_cast<int>(testing::kEach); ++i) {
      const Sheet mine = worked(variant.sheet, bits);
      const double expected = points(mine, following, too_large);
      const Grade grade = grade_sheet(variant.key, {answers_of(mine), std::nullopt});
      CHECK(testing::close(expected, grade.report.score));
    }
  }
  CHECK(following > 100.0 / testing::kEach);  // otherwise this shows nothing
  CHECK(too_large > 4 / static_cast<int>(testing::kEach));
}
