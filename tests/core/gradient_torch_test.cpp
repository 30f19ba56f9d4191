// Gradients against PyTorch's autograd.
// tests/reference/make_gradients.py shows how its numbers were made.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "attn/gradient.hpp"
#include "attn/io/problem_file.hpp"
#include "io/json/json.hpp"
#include "support/expected_numbers.hpp"
#include "support/files.hpp"

namespace attn::testing {
namespace {

constexpr double kTolerance = 1e-10;

/// Checks every expected gradient of the problem in `file`; returns how many there are.
int check_gradients(const std::string& file, const std::string& expected_file, bool parts) {
  const json::Document expected = json::parse(read_test_file(expected_file), expected_file);
  const Problem problem = make_problem(parse_problem(read_test_file(file), file).draft);
  GradientChoice choice{.parts = parts};
  if (const json::Node* upstream = json::find(expected.root, "upstream")) {
    choice.upstream.emplace();
    append_numbers(*upstream, choice.upstream->data);
    choice.upstream->shape = outline(problem).value("output").shape().sizes();
  }
  const Trace trace = attend_and_back(problem, parts ? opened_softmax() : Recipe(), choice);
  int count = 0;
  for (const json::Member& each :
       std::get<json::Members>(json::find(expected.root, "gradients")->value)) {
    CAPTURE(each.key);
    const Step* gradient = trace.find(each.key + ".grad");
    REQUIRE(gradient != nullptr);
    CHECK(largest_difference(each.value, gradient->value) < kTolerance);
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("gradients: every option, as PyTorch's autograd computes them") {
  const std::string folder = "reference/gradients/";
  int attentions = 0, models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/tests/" + folder)) {
    const std::string file = entry.path().filename().string();
    const std::string name = file.substr(0, file.find('.'));
    CAPTURE(name);
    for (const bool parts : {false, true}) {
      if (file.ends_with(".expected.json")) {
        CHECK(check_gradients(folder + name + ".json", folder + file, parts) >= 7);
        ++attentions;
      } else if (file.ends_with(".model.json")) {
        CHECK(check_gradients("reference/models/" + name + ".json", folder + file, parts) >= 3);
        ++models;
      }
    }
  }
  CHECK(attentions > 30);
  CHECK(models > 20);
}

}  // namespace attn::testing
