// Comparing two computations: differences against plain loops, the order of steps, shapes, dumps.
#include "attn/teach/comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "support/compare.hpp"
#include "support/infinity.hpp"

namespace attn::testing {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Trace sample(std::size_t number, const std::function<void(ProblemDraft&)>& change = {}) {
  ProblemDraft draft = parse_problem(samples()[number].text, "sample").draft;
  if (change) change(draft);
  return attend(make_problem(draft));
}

std::vector<std::string> ids(const Comparison& comparison) {
  std::vector<std::string> all;
  for (const StepDifference& step : comparison.steps) all.push_back(step.id);
  return all;
}

const StepDifference& step_of(const Comparison& comparison, const std::string& id) {
  for (const StepDifference& step : comparison.steps) {
    if (step.id == id) return step;
  }
  throw std::out_of_range(id);
}

/// Two answers with one matrix, compared.
StepDifference compared(std::vector<double> left, std::vector<double> right, Tolerance tolerance) {
  const auto dump = [](std::vector<double> numbers) {
    const Index cols = std::ssize(numbers) / 2;
    return attn::trace_of({.source = "d", .matrices = {{"weights", {2, cols}, std::move(numbers)}}},
                          nullptr);
  };
  return compare(dump(std::move(left)), dump(std::move(right)), tolerance).steps.at(0);
}

}  // namespace

TEST_CASE("compare: every figure is what plain loops find") {
  const Trace left = sample(2),
              right = sample(2, [](ProblemDraft&draft) { draft.embeddings->data[7] += 0.5; });
  const Comparison comparison = compare(left, right, {});
  CHECK(comparison.steps.size() == left.steps.size());
  int different = 0;
  for (const Step& step : left.steps) {
    const StepDifference& found = step_of(comparison, step.id);
    const Tensor &a = step.value, &b = right.value(step.id);
    double most = 0.0, sum = 0.0;
    Index count = 0;
    std::set<Index> rows;
    std::optional<Cell> first;
    for (Index h = 0; h < a.heads(); ++h) {
      for (Index r = 0; r < a.rows(); ++r) {
        for (Index c = 0; c < a.cols(); ++c, ++count) {
          const double x = a.at({0, h, r, c}), y = b.at({0, h, r, c});
          if (x == y) continue;  // equal infinities too
          most = std::max(most, std::fabs(x - y));
          sum += std::fabs(x - y);
          rows.insert(r);
          if (!first) first = Cell{0, h, r, c};
        }
      }
    }
    INFO(step.id);
    CHECK(found.in == Presence::Both);
    CHECK(close(most, *found.largest));
    CHECK(close(sum / static_cast<double>(count), *found.mean));
    CHECK((found.first == first));
    std::set<Index> found_rows;
    for (const Cell& cell : found.rows) found_rows.insert(cell.row);
    CHECK(found_rows == rows);
    CHECK(found.rows.size() == rows.size());
    different += found.differs();
  }
  CHECK(different > 5);
  CHECK(comparison.first_different()->id == "x");
}

TEST_CASE("compare: a changed row of X reaches other rows only in attention") {
  const Comparison comparison = compare(
      sample(2), sample(2, [](ProblemDraft& draft) { draft.embeddings->data[7] += 0.5; }), {});
  for (const char* id : {"x", "q", "k", "v"}) {
    INFO(id);
    CHECK(step_of(comparison, id).rows.size() == 1);
    CHECK(step_of(comparison, id).rows.front().row == 1);
  }
  CHECK(step_of(comparison, "weights").rows.size() == 4);  // causal: the first row sees only itself
  CHECK(step_of(comparison, "output").rows.size() == 4);
}

TEST_CASE("compare: equal infinities and NaN are no difference, one alone is") {
  const StepDifference same = compared({kNan, -kInf, kInf, 1}, {kNan, -kInf, kInf, 1}, {});
  CHECK(*same.largest == 0.0);
  CHECK(*same.mean == 0.0);
  CHECK(!same.differs());
  const StepDifference infinite = compared({1, -kInf, 2, 1}, {1, 3, 2, 1}, {0.0, 1e-5});
  CHECK(*infinite.largest == kInf);
  CHECK((infinite.first == Cell{0, 0, 0, 1}));
  const StepDifference nan = compared({1, 2, kNan, 1}, {1, 9, 2, 1}, {.absolute = 100.0});
  CHECK(std::isnan(*nan.largest));
  CHECK((nan.first == Cell{0, 0, 1, 0}));
  CHECK(*compared({kInf, 0}, {-kInf, 0}, {}).largest == kInf);
}

TEST_CASE(
    "compare: the tolerance is inclusive, and relative to the largest number of either side") {
  CHECK(!compared({0, 0.5}, {0.25, 0.5}, {.absolute = 0.25}).differs());
  CHECK(compared({0, 0.5}, {0.26, 0.5}, {.absolute = 0.25}).differs());
  CHECK(!compared({0, 8}, {1, 4}, {.relative = 0.5}).differs());
  CHECK(compared({0, 8}, {1, 3}, {.relative = 0.5}).differs());
  CHECK(*compared({0, 8}, {1, 4}, {.relative = 0.5}).largest == 4.0);
}

TEST_CASE("compare: fills do not affect what a relative tolerance allows") {
  const auto filled = [](double score) {
    return sample(0, [&](ProblemDraft& draft) {
      draft.masks = {parse_mask("causal")};
      draft.fill = -1e9;
      draft.embeddings->data[0] += score;
    });
  };
  CHECK(step_of(compare(filled(0), filled(0.01), {.relative = 1e-5}), "masked_scores").differs());
}

TEST_CASE("compare: steps that one side lacks keep their place in the computation") {
  const auto masked = [](ProblemDraft& draft) { draft.masks = {parse_mask("causal")}; };
  const auto capped = [](ProblemDraft& draft) { draft.softcap = 2.0; };
  const std::vector<std::string> expected{"x",
                                          "q",
                                          "k",
                                          "v",
                                          "scores",
                                          "scaled_scores",
                                          "capped_scores",
                                          "mask",
                                          "masked_scores",
                                          "weights",
                                          "output"};
  const Comparison comparison = compare(sample(0, masked), sample(0, capped), {});
  CHECK(ids(comparison) == expected);
  CHECK(ids(compare(sample(0, capped), sample(0, masked), {})) == expected);
  CHECK(step_of(comparison, "mask").in == Presence::Left);
  CHECK(step_of(comparison, "capped_scores").in == Presence::Right);
  CHECK(!step_of(comparison, "mask").largest);
  CHECK(comparison.first_different()->id == "weights");
}

TEST_CASE("compare: other shapes are a difference without numbers") {
  const Comparison comparison =
      compare(sample(0, [](ProblemDraft& draft) { draft.heads = 1; }),
              sample(0, [](ProblemDraft& draft) { draft.heads = 2; }), {});
  const StepDifference& heads = step_of(comparison, "q_heads");
  CHECK(heads.other_shape());
  CHECK(heads.left_shape == std::vector<Index>{1, 5, 4});
  CHECK(heads.right_shape == std::vector<Index>{2, 5, 2});
  CHECK(!heads.first);
  CHECK(comparison.first_different() == &heads);
  CHECK(step_of(comparison, "output").first);
}

TEST_CASE("compare: a dump takes the axes of the step that it belongs to") {
  const Trace truth = sample(2);
  const Tensor& weights = truth.value("weights");
  Answers dump{.source = "dump", .matrices = {{"A", {1, 2, 5, 5}, weights.data().copy()}}};
  const Trace trace = trace_of(dump, &truth);
  CHECK(trace.steps.size() == 1);
  CHECK(trace.steps[0].id == "weights");
  CHECK((trace.steps[0].value.shape() == weights.shape()));
  CHECK(compare(trace, truth, {}).first_different() == nullptr);
  dump.matrices.push_back({"S", {1, 1, 2, 5, 5}, weights.data().copy()});
  CHECK(trace_of(dump, &truth).notes == std::vector<std::string>{"S must have 2 to 4 axes"});
  dump.matrices = {{"nonsense", {2, 2}, {1, 2, 3, 4}}};
  CHECK_THROWS_AS(trace_of(dump, &truth), Error);
}

}  // namespace attn::testing
