// Whole models: PyTorch's numbers (tests/reference/make_models.py shows how they were made), and
// the arithmetic of every cell.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <variant>

#include "attn/attend.hpp"
#include "attn/problem_file.hpp"
#include "io/json/json.hpp"
#include "support/derivations.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

constexpr double kTolerance = 1e-12;

/// The nested lists below `node`, one after the other.
void append(const json::Node& node, std::vector<double>& numbers) {
  if (const auto* row = std::get_if<json::Numbers>(&node.value)) {
    numbers.insert(numbers.end(), row->begin(), row->end());
    return;
  }
  for (const json::Node& item : std::get<json::Items>(node.value)) append(item, numbers);
}

double largest_difference(const json::Node& expected, const Tensor& found) {
  std::vector<double> numbers;
  append(expected, numbers);
  REQUIRE(numbers.size() == found.data().size());
  double largest = 0.0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    largest = std::max(largest, std::abs(numbers[i] - found.data()[i]));
  return largest;
}

Trace trace_of(const std::string& name) {
  const std::string file = "reference/models/" + name + ".json";
  return attend(make_problem(parse_problem(read_test_file(file), file).draft));
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
    const Trace trace = trace_of(name);
    const std::string file = "reference/models/" + name + ".expected.json";
    const json::Document expected = json::parse(read_test_file(file), file);
    const json::Node* steps = json::find(expected.root, "steps");
    REQUIRE(steps != nullptr);
    for (const json::Member& step : std::get<json::Members>(steps->value)) {
      CAPTURE(step.key);
      REQUIRE(trace.find(step.key) != nullptr);
      CHECK(largest_difference(step.value, trace.value(step.key)) < kTolerance);
    }
  }
}

TEST_CASE("model: the arithmetic of every cell of every step gives that cell again") {
  for (const std::string& name : names()) {
    CAPTURE(name);
    const Trace trace = trace_of(name);
    for (const Step& step : trace.steps) CHECK(first_wrong_derivation(trace, step) == "");
  }
}

}  // namespace attn::testing
