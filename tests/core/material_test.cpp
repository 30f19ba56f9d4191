// What teaching material has beside attention itself.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "attn/attend.hpp"
#include "attn/gradient.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/mask.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"

namespace attn::testing {
namespace {

Problem material_problem(const std::string& text) {
  return make_problem(parse_problem(text, "a.json").draft);
}

Trace material_trace(const std::string& text) { return attend(material_problem(text)); }

std::vector<double> numbers_in_step(const Trace& trace, const char* step) {
  const auto data = trace.value(step).data();
  return {data.begin(), data.end()};
}

Error material_error(const std::string& text) {
  return error_from([&] { material_problem(text); });
}

const std::string kThreeWeights = R"("weights": {"w_q": [[1, 0], [0, 2]], "w_k": [[1, 1], [0, 1]],
    "w_v": [[1, 0, 2], [3, 1, 0]]})";
const std::string kThreeRows = R"({"embeddings": [[1, 0], [0.5, 2], [3, 1]], )" + kThreeWeights;

}  // namespace

TEST_CASE("hidden is the opposite of allowed, and errors are about it") {
  const Trace hidden =
      material_trace(kThreeRows + R"(, "hidden": [[0, 1, 1], [0, 0, 1], [0, 0, 0]]})");
  const Trace allowed =
      material_trace(kThreeRows + R"(, "allowed": [[1, 0, 0], [1, 1, 0], [1, 1, 1]]})");
  CHECK(first_difference(hidden.value("output"), allowed.value("output")) == "");
  CHECK(hidden.attention().visibility->names == std::vector<std::string>{"hidden"});
  CHECK(mask_reason("hidden") == "the matrix `hidden` has a 1 here");
  const Error error = material_error(kThreeRows + R"(, "hidden": [[0, 1], [0, 0]]})");
  CHECK(error.diagnostics()[0].places[0].pointer == "/hidden");
  CHECK(
      material_error(kThreeRows + R"(, "hidden": [[0]], "allowed": [[1]]})").diagnostics()[0].id ==
      "two-inputs");
}

TEST_CASE("layout columns: tokens in columns and weights out × in are the same attention") {
  const Trace rows = material_trace(kThreeRows + R"(, "bias": [[0, 1, 2], [0, 0, 5], [1, 0, 0]]})");
  const Trace columns =
      material_trace(R"({"layout": "columns", "embeddings": [[1, 0.5, 3], [0, 2, 1]],
    "weights": {"w_q": [[1, 0], [0, 2]], "w_k": [[1, 0], [1, 1]], "w_v": [[1, 3], [0, 1], [2, 0]]},
    "bias": [[0, 0, 1], [1, 0, 0], [2, 5, 0]]})");
  CHECK(first_difference(rows.value("output"), columns.value("output")) == "");
  CHECK(columns.notes.at(0) == "the file has tokens in columns; in the steps they are in rows");
  const Trace linear =
      material_trace(R"({"layout": "columns", "embeddings": [[1, 0.5, 3], [0, 2, 1]],
    "heads": 1, "weights": {"W_q.weight": [[1, 0], [0, 2]], "W_k.weight": [[1, 0], [1, 1]],
    "W_v.weight": [[1, 3], [0, 1], [2, 0]]}})");
  CHECK(first_difference(material_trace(kThreeRows + ", \"heads\": 1}").value("output"),
                         linear.value("output")) == "");
}

TEST_CASE("attention weights themselves, with values, are a step that is given") {
  const Trace trace = material_trace(
      R"({"attention_weights": [["1/4", "3/4"], [1, 0], [0.5, 0.5]], "v": [[4, 0], [0, 8]]})");
  CHECK(numbers_in_step(trace, "output") == std::vector<double>{1, 6, 4, 0, 2, 4});
  CHECK(trace.find("scores") == nullptr);
  CHECK(trace.find("q") == nullptr);
  CHECK(trace.find("weights")->is_given());
  const Trace heads = material_trace(R"({"attention_weights": [[[1, 0]], [[0, 1]]], "heads": 2,
    "v": [[1, 2], [3, 4]], "weights": {"w_o": [[1, 0], [0, 10]]}})");
  CHECK(numbers_in_step(heads, "output") == std::vector<double>{1, 40});
  for (const char* wrong : {R"({"attention_weights": [[1, 0]]})",
                            R"({"attention_weights": [[1, 0, 0]], "v": [[1], [2]]})",
                            R"({"attention_weights": [[1, 0]], "v": [[1], [2]], "mask": "causal"})",
                            R"({"attention_weights": [[1, 0]], "v": [[1], [2]], "q": [[1]]})"})
    CHECK(material_error(wrong).kind() == ErrorKind::Input);
  for (const std::string key : {"add_zero_attn", "bias_k"}) {
    const std::string weights =
        key == "bias_k" ? R"("bias_k": [[1]], "bias_v": [[1]])" : R"("add_zero_attn": true)";
    const Error error = material_error(
        R"({"attention_weights": [[1, 0]], "v": [[1], [2]], "weights": {)" + weights + "}}");
    CHECK(error.what() == key + " acts on scores, but attention_weights are given");
    CHECK(error.diagnostics()[0].places[0].pointer == "/weights/" + key);
  }
}

TEST_CASE("dropout with what was kept divides by 1 − p") {
  const std::string base = R"({"attention_weights": [[0.25, 0.75], [0.5, 0.5]], "v": [[4], [8]])";
  const Trace trace =
      material_trace(base + R"(, "dropout": {"p": 0.5, "keep": [[1, 0], [1, 1]]}})");
  CHECK(numbers_in_step(trace, "dropped_weights") == std::vector<double>{0.5, 0, 1, 1});
  CHECK(numbers_in_step(trace, "output") == std::vector<double>{2, 12});
  CHECK(material_error(base + R"(, "dropout": {"p": 0.5, "keep": [[1, 1, 1]]}})")
            .diagnostics()[0]
            .id == "shape-mismatch");
}

TEST_CASE("a target adds the mean squared error, and gradients start from it") {
  const std::string text = kThreeRows + R"(, "target": [[1, 0, 1], [0, 2, 0], [3, 1, 1]],
    "dropout": {"p": 0.2, "keep": [[1, 1, 0], [1, 0, 1], [1, 1, 1]]}})";
  const auto loss = [](const Problem& problem) {
    return attend(problem).value("mean_squared_error").data()[0];
  };
  const Trace trace = material_trace(text);
  double sum = 0;
  const std::vector<double> target{1, 0, 1, 0, 2, 0, 3, 1, 1},
      output = numbers_in_step(trace, "output");
  for (std::size_t i = 0; i < target.size(); ++i)
    sum += (output[i] - target[i]) * (output[i] - target[i]) / 9;
  CHECK(close(sum, loss(material_problem(text))));

  Trace with = trace;
  add_gradients(with);
  const Tensor gradient = with.value("w_v.grad");
  for (std::size_t i = 0; i < 6; ++i) {
    const double h = 1e-6;
    ProblemDraft more = parse_problem(text, "a.json").draft, less = more;
    more.weights["w_v"].data[i] += h;
    less.weights["w_v"].data[i] -= h;
    const double slope = (loss(make_problem(more)) - loss(make_problem(less))) / (2 * h);
    CHECK(close(slope, gradient.data()[i], 1e-6));
  }
  CHECK(material_error(kThreeRows + R"(, "target": [[1, 0, 1]]})").diagnostics()[0].id ==
        "shape-mismatch");
}

TEST_CASE("w_v may be the only projection: queries and keys are the inputs") {
  const Trace trace =
      material_trace(R"({"embeddings": [[1, 0], [0, 1]], "weights": {"w_v": [[1], [2]]}})");
  CHECK(numbers_in_step(trace, "q") == std::vector<double>{1, 0, 0, 1});
  CHECK(trace.notes.at(0) == "without w_q and w_k, queries and keys are the inputs themselves");
  CHECK(material_error(R"({"embeddings": [[1]], "weights": {"w_q": [[1]]}})").diagnostics()[0].id ==
        "missing-key");
}

}  // namespace attn::testing
