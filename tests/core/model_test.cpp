// Whole models: PyTorch's numbers, and the arithmetic of every cell.
// tests/reference/make_models.py shows how the numbers were made.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <variant>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"
#include "support/derivations.hpp"
#include "support/expected_numbers.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

constexpr double kExact = 1e-12;

Trace trace_of_reference(const std::string& name) {
  const std::string file = "reference/models/" + name + ".json";
  return attend(make_problem(parse_problem(read_test_file(file), file).draft));
}

/// Every step of a file of PyTorch's numbers.
void check_steps(const Trace& trace, const std::string& name) {
  const std::string file = "reference/models/" + name + ".expected.json";
  const json::Document expected = json::parse(read_test_file(file), file);
  const json::Node* steps = json::find(expected.root, "steps");
  REQUIRE(steps != nullptr);
  for (const json::Member& step : std::get<json::Members>(steps->value)) {
    CAPTURE(step.key);
    REQUIRE(trace.find(step.key) != nullptr);
    CHECK(largest_difference(step.value, trace.value(step.key)) < kExact);
  }
}

Trace trace_of_sample(const std::string& name) {
  const std::string file = "../samples/" + name + ".json";
  return attend(make_problem(parse_problem(read_test_file(file), file).draft));
}

/// The column of the largest weight in a row of head 0.
Index looks_at(const Tensor& weights, Index row) {
  const auto all = weights.row(0, 0, row);
  return std::max_element(all.begin(), all.end()) - all.begin();
}

/// The names of the problems in tests/reference/models.
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/reference/models")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".json" && !name.ends_with(".expected")) all.push_back(name);
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST_CASE("model: every step that PyTorch computes has PyTorch's numbers") {
  REQUIRE(names().size() >= 16);
  for (const std::string& name : names()) {
    CAPTURE(name);
    check_steps(trace_of_reference(name), name);
  }
}

TEST_CASE("model: a head looks at the word before, the next one at what came after the same word") {
  const Trace trace = trace_of_sample("15-induction");
  check_steps(trace, "induction");
  const Tensor& before = trace.value("layers.0.self_attn.weights");
  for (Index i = 1; i < before.rows(); ++i) CHECK(before.at({0, 0, i, i - 1}) > 0.95);
  const Tensor& induction = trace.value("layers.1.self_attn.weights");
  for (Index i = 6; i <= 10; ++i) CHECK(induction.at({0, 0, i, i - 5}) > 0.98);
}

TEST_CASE("model: in one trained to write backwards, cross attention is the other diagonal") {
  const Trace trace = trace_of_sample("16-reversal");
  check_steps(trace, "reverse");
  const Tensor& cross = trace.value("decoder.layers.0.multihead_attn.weights");
  for (Index i = 0; i <= 7; ++i) CHECK(cross.at({0, 0, i, 7 - i}) > 0.9);
}

TEST_CASE("model: in translation, \"mange\" looks at \"eating\" and \"pomme\" at \"apple\"") {
  const Trace trace = trace_of_sample("17-english-french");
  check_steps(trace, "translation");
  const Step& cross = trace.at("decoder.layers.0.multihead_attn.weights");
  const std::vector<std::string>& english = cross.scope->key_tokens.front();
  CHECK(english[static_cast<std::size_t>(looks_at(cross.value, 1))] == "eating");
  CHECK(english[static_cast<std::size_t>(looks_at(cross.value, 3))] == "apple");
  CHECK(cross.value.at({0, 0, 1, 2}) > 0.99);
}

TEST_CASE("model: the arithmetic of every cell of every step gives that cell again") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    const Trace trace = trace_of_reference(name);
    for (const Step& step : trace.steps) CHECK(first_wrong_derivation(trace, step) == "");
  }
}

}  // namespace attn::testing
