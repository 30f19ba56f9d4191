// The rule by which cells that follow earn points, against a grader of plain loops.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

#include "attn/attend.hpp"
#include "attn/teach/exercise.hpp"
#include "attn/teach/grading.hpp"
#include "support/pace.hpp"

using namespace attn;

namespace {

constexpr int kTokens = 4, kKeys = 3;
const double kNan = std::numeric_limits<double>::quiet_NaN();

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

const std::map<std::string, std::vector<std::string>> kUses{{"q", {}},
                                                            {"k", {}},
                                                            {"v", {}},
                                                            {"scores", {"q", "k"}},
                                                            {"scaled_scores", {"scores"}},
                                                            {"weights", {"scaled_scores"}},
                                                            {"output", {"weights", "v"}}};

/// The points of a sheet by the rule: right, or following from what is there, where at least half
/// of the blanks of each step that it uses are right.
double points(const Sheet& sheet, double& following) {
  Matrices truth = givens_of(sheet.problem), own = truth;
  std::map<std::string, bool> half;
  double total = 0.0;
  for (const SheetStep& step : sheet.steps) {
    truth[step.id] = made(step.id, truth);
    const Matrix follows = made(step.id, own);
    const std::size_t cols = truth[step.id].front().size();
    own[step.id] = truth[step.id];
    int blanks = 0, right = 0, earned = 0;
    for (std::size_t i = 0; i < step.numbers.size(); ++i) {
      const double x = step.numbers[i];
      own[step.id][i / cols][i % cols] = x;
      if (step.blank[i] == 0) continue;
      ++blanks;
      const auto near = [&](const Matrix& m) {
        return std::abs(x - m[i / cols][i % cols]) <= 0.01 * (1.0 + 1e-9);
      };
      bool allowed = near(follows);
      for (const std::string& id : kUses.at(step.id)) allowed = allowed && half[id];
      right += near(truth[step.id]);
      earned += !near(truth[step.id]) && allowed;
    }
    half[step.id] = 2 * right >= blanks;
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
        if (bits() % holes == 0) step.numbers[i] = kNan;
      }
      own[step.id][i / cols][i % cols] = step.numbers[i];
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

}  // namespace

TEST_CASE("following: points agree with a grader of plain loops") {
  std::mt19937 bits(17);
  double following = 0.0;
  for (const ExerciseVariant& variant : class_of(6)) {
    for (int i = 0; i < 40 / static_cast<int>(testing::kEach); ++i) {
      const Sheet mine = worked(variant.sheet, bits);
      const double expected = points(mine, following);
      const Grade grade = grade_sheet(variant.key, {answers_of(mine), std::nullopt});
      CHECK(grade.report.score == doctest::Approx(expected));
    }
  }
  CHECK(following > 100.0 / testing::kEach);  // otherwise this shows nothing
}
