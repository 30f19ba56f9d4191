// A norm or a feed-forward network alone: PyTorch's numbers, every cell explained, what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/trace_file.hpp"
#include "io/json/json.hpp"
#include "support/compare.hpp"
#include "support/derivations.hpp"
#include "support/errors.hpp"
#include "support/expected_numbers.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

constexpr const char* kParts = "reference/parts/";

std::vector<std::string> part_names() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_dir() + "/tests/reference/parts")) {
    const std::string name = entry.path().stem().string();
    if (!name.ends_with(".expected")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Trace part_trace(const std::string& text) {
  return attend(make_problem(parse_problem(text, "a.json").draft));
}

Diagnostic why_no_part(const std::string& text) {
  return error_from([&] { part_trace(text); }).diagnostics().front();
}

}  // namespace

TEST_CASE("part alone: PyTorch computes the same, and every cell is explained") {
  REQUIRE(part_names().size() == 9);
  for (const std::string& name : part_names()) {
    CAPTURE(name);
    const Trace trace = part_trace(read_test_file(kParts + name + ".json"));
    const std::string text = read_test_file(kParts + name + ".expected.json");
    const json::Document expected = json::parse(text, name);
    const json::Node* steps = json::find(expected.root, "steps");
    REQUIRE(steps != nullptr);
    const auto& members = std::get<json::Members>(steps->value);
    CHECK(members.size() >= 2);
    for (const json::Member& step : members) {
      CAPTURE(step.key);
      CHECK(largest_difference(step.value, trace.value(step.key)) < 1e-12);
    }
    for (const Step& step : trace.steps) CHECK(first_wrong_derivation(trace, step) == "");
    const std::string json = trace_json(trace);
    CHECK(trace_json(parse_trace(json, "a.json")) == json);
  }
}

TEST_CASE("part alone: a norm has PyTorch's names, older ones, or no weights") {
  const std::string begin = R"({"model": {"kind": "layer_norm"}, "embeddings": [[1, 3]])";
  const auto output = [&](const std::string& weights) {
    const Trace trace = part_trace(begin + weights + "}");
    return std::pair(trace.value("output").at({0, 0, 0, 0}),
                     trace.value("output").at({0, 0, 0, 1}));
  };
  const auto plain = output("");
  CHECK(close(-1.0, plain.first, 1e-5));
  for (const std::string names :
       {R"("weight": [2, 3], "bias": [0, 1])", R"("norm.weight": [2, 3], "norm.bias": [0, 1])",
        R"("gamma": [2, 3], "beta": [0, 1])"}) {
    CAPTURE(names);
    const auto found = output(", \"weights\": {" + names + "}");
    CHECK(close(2.0 * plain.first, found.first));
    CHECK(close(3.0 * plain.second + 1.0, found.second));
  }
}

TEST_CASE("part alone: a weight under two names is refused with both") {
  CHECK(why_no_part(R"({"model": {"kind": "rms_norm"}, "embeddings": [[1, 2]],
                        "weights": {"weight": [1, 1], "norm.weight": [1, 2]}})")
            .what == given_twice("norm.weight") + ": as norm.weight and as weight");
}

TEST_CASE("part alone: what only attention has is refused, and so is what it does not read") {
  const std::string norm = R"({"model": {"kind": "rms_norm"}, "embeddings": [[1, 3]], )";
  for (const std::string key :
       {R"("heads": 1)", R"("mask": "causal")", R"("allowed": [[1]])", R"("bias": [[0]])"}) {
    CAPTURE(key);
    CHECK(why_no_part(norm + key + "}")
              .what.starts_with(does_not_read("rms_norm", key.substr(1, key.find('"', 1) - 1))));
  }
  CHECK(why_no_part(norm + R"("weights": {"wieght": [1, 1]}})").what ==
        "the weights have 1 tensor that nn.RMSNorm does not: norm.wieght");
  CHECK(why_no_part(norm + R"("weights": {"weight": [1, 1, 1]}})").what ==
        should_have_shape("norm.weight", "2") + ", but it has 3");
  CHECK(why_no_part(R"({"model": {"kind": "feed_forward"}, "embeddings": [[1, 3]],
                    "weights": {"0.weight": [[1, 2]]}})")
            .what == "a feed-forward network needs 1 tensor" + missing_tensors("linear2.weight"));
}

}  // namespace attn::testing
