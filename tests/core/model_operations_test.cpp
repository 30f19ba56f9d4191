// The operations of whole models: what fits together, what is counted, and signs of zeros.

#include <doctest/doctest.h>

#include <cmath>
#include <string_view>
#include <vector>

#include "attn/attend.hpp"
#include "attn/generate.hpp"
#include "attn/io/problem_file.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/row_links.hpp"
#include "support/compare.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

constexpr Shape kRows{{}, {}, 3, 4};
constexpr Shape matrix(Index rows, Index cols) { return {{}, {}, rows, cols}; }

bool fits(const Operation& operation, const std::vector<Shape>& inputs,
          const Parameters& parameters = {}, const Shape& own = {}) {
  const ShapeRule& rule = operation.shape_rule;
  return inputs.size() >= rule.least && inputs.size() <= rule.most &&
         rule.result(inputs, parameters, own).has_value();
}

ProblemDraft sample(const std::string& name) {
  const std::string file = "../samples/" + name + ".json";
  return parse_problem(read_test_file(file), file).draft;
}

}  // namespace

TEST_CASE("model operations: inputs that do not fit together are refused") {
  const Parameters norm{{"epsilon", 1e-5}};
  for (const Operation* each : {&ops::layer_norm, &ops::rms_norm}) {
    CAPTURE(each->name);
    CHECK(fits(*each, {kRows, matrix(1, 4)}, norm));
    CHECK_FALSE(fits(*each, {kRows, matrix(1, 3)}, norm));
    CHECK_FALSE(fits(*each, {kRows, matrix(3, 4)}, norm));
    CHECK(fits(*each, {kRows}, norm));
  }
  CHECK_FALSE(fits(ops::layer_norm, {kRows, matrix(1, 4), matrix(1, 5)}, norm));
  for (const Operation* each : {&ops::relu, &ops::gelu, &ops::gelu_tanh, &ops::silu})
    CHECK_FALSE(fits(*each, {kRows, kRows}));
  CHECK_FALSE(fits(ops::multiply_elements, {kRows, matrix(3, 5)}));
  CHECK_FALSE(fits(ops::look_up, {matrix(7, 4)}, {{"ids", std::vector<Index>{1, 7, 0}}}, kRows));
  CHECK_FALSE(fits(ops::look_up, {matrix(7, 4)}, {{"ids", std::vector<Index>{1, 2}}}, kRows));
  CHECK_FALSE(fits(ops::look_up, {matrix(7, 5)}, {{"ids", std::vector<Index>{1, 2, 0}}}, kRows));
  CHECK_FALSE(fits(ops::cross_entropy, {kRows}, {{"labels", std::vector<Index>{1, 4, 0}}}));
  CHECK_FALSE(fits(ops::cross_entropy, {kRows}, {{"labels", std::vector<Index>{1, 0}}}));
  CHECK_FALSE(fits(ops::labelled_mean, {kRows}, {{"labels", std::vector<Index>{1, 1, 0}}}));
}

TEST_CASE("operations: no rule for three inputs says \"Both\"") {
  for (const Operation* each : ops::kAll) {
    CAPTURE(std::string(each->name));
    const std::string_view rule = each->shape_rule.sentence;
    if (each->shape_rule.most > 2) CHECK(!rule.starts_with("Both"));
  }
}

TEST_CASE("model operations: relu of a negative number is 0, not -0, and NaN stays NaN") {
  const Tensor x(matrix(1, 3), {-2.0, -INFINITY, std::nan("")});
  const Parameters none;
  const std::vector inputs{&x};
  const Tensor y = evaluate(ops::relu, {inputs, none, x.shape()});
  CHECK_FALSE(std::signbit(y.at({0, 0, 0, 0})));
  CHECK(y.at({0, 0, 0, 1}) == 0.0);
  CHECK(std::isnan(y.at({0, 0, 0, 2})));
}

TEST_CASE("model operations: a mean that is only rounding error is not subtracted") {
  const Tensor weight(matrix(1, 3), {1.0, 1.0, 1.0});
  const auto centred = [&](const std::vector<double>& row) {
    const Tensor x(matrix(1, 3), row);
    const Parameters parameters{{"epsilon", 1e-5}};
    const std::vector<const Tensor*> inputs{&x, &weight};
    const Call call{inputs, parameters, x.shape()};
    return ops::layer_norm.derive(call, {0, 0, 0, 0}).parts.at(0).parts.at(0);
  };
  CHECK(centred({0.1, 0.2, -0.3}).kind == Expression::Kind::Leaf);  // in Python, too: 1.85e-17
  const Expression shifted = centred({1.0, 2.0, 6.0});
  REQUIRE(shifted.kind == Expression::Kind::Sum);
  CHECK(shifted.parts.at(1).value == -3.0);
}

TEST_CASE("model operations: heads in another order are there with their numbers and arithmetic") {
  const Tensor x(Shape{{}, 2, 1, 2}, {1.0, 2.0, 3.0, 4.0});
  const Parameters swapped{{"order", std::vector<Index>{1, 0}}};
  const std::vector<const Tensor*> inputs{&x};
  const Call call{inputs, swapped, matrix(1, 4)};
  const Tensor y = ops::merge_heads.evaluate(call);
  const std::vector<double> expected{3.0, 4.0, 1.0, 2.0};
  for (Index c = 0; c < 4; ++c) {
    CHECK(y.at({0, 0, 0, c}) == expected[static_cast<std::size_t>(c)]);
    CHECK(ops::merge_heads.derive(call, {0, 0, 0, c}).value == y.at({0, 0, 0, c}));
  }
}

TEST_CASE("loss: rows without a label do not count in the mean") {
  ProblemDraft draft = sample("17-english-french");
  draft.labels.front().back() = {};
  draft.labels.front()[1] = {};
  const Trace trace = attend(make_problem(draft));
  const Tensor& loss = trace.value("loss");
  double sum = 0.0;
  for (Index i = 0; i < loss.rows(); ++i) sum += loss.at({0, 0, i, 0});
  CHECK(loss.at({0, 0, 1, 0}) == 0.0);
  CHECK(
      close(trace.value("mean_loss").at({0, 0, 0, 0}), sum / static_cast<double>(loss.rows() - 2)));
}

TEST_CASE("loss: without any label the mean is 0, not 0 / 0") {
  const Tensor losses(matrix(2, 1), {0.0, 0.0});
  const std::vector<const Tensor*> inputs{&losses};
  const Parameters parameters{{"labels", std::vector<Index>{-1, -1}}};
  const Call call{inputs, parameters, matrix(1, 1)};
  CHECK(ops::labelled_mean.evaluate(call).at({0, 0, 0, 0}) == 0.0);
  CHECK(ops::labelled_mean.derive(call, {0, 0, 0, 0}).value == 0.0);
}

TEST_CASE("generate: multiplications are those of the matrix products, counted by hand") {
  ProblemDraft draft = sample("15-induction");
  const auto layers = 2.0, heads = static_cast<double>(*draft.heads);
  const auto d = static_cast<double>(draft.embedding_table.front().second.size());
  const auto words = static_cast<double>(draft.vocabulary->w.shape[1]);
  const auto prompt = static_cast<double>(draft.tokens.front().size());
  const auto products = [&](double queries, double keys) {  // q k v o; Q·Kᵀ and A·V; logits
    return layers * (4 * queries * d * d + 2 * heads * queries * keys * (d / heads)) +
           queries * d * words;
  };
  const Generation made = generate(draft, {.count = 3});
  for (std::size_t i = 0; i < 3; ++i) {
    const double length = prompt + static_cast<double>(i);
    CHECK(made.tokens[i].multiplications_without_cache == products(length, length));
    CHECK(made.tokens[i].multiplications == products(i == 0 ? length : 1.0, length));
  }
}

}  // namespace attn::testing
