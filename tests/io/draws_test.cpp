// Random matrices of a problem against numbers of PyTorch and NumPy.
// Made by tests/reference/make_draws.py.
#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

#include "attn/io/problem_file.hpp"
#include "io/error_rows.hpp"
#include "io/json/json.hpp"
#include "support/compare.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"

namespace attn::testing {

TEST_CASE(
    "problem file: random matrices after others are those of PyTorch and NumPy, bit for bit") {
  const std::string text = read_test_file("reference/draws.json");
  const json::Document file = json::parse(text, "draws.json");
  const auto& cases = std::get<json::Items>(json::find(file.root, "cases")->value);
  REQUIRE(cases.size() > 25);
  for (const json::Node& each : cases) {
    const std::size_t begin = json::find(each, "source")->offset;
    const std::string source = text.substr(begin, text.find("\"shape\"", begin) - 2 - begin);
    CAPTURE(source);
    const bool bias = source.find("\"bias\"") != source.npos;
    const char* key = bias ? R"({"weights": {"b_q": )" : R"({"q": )";
    const auto draft = parse_problem(key + source + (bias ? "}}" : "}"), "a.json").draft;
    const Array& array = bias ? draft.weights.at("b_q") : *draft.q;
    const auto& shape = std::get<json::Numbers>(json::find(each, "shape")->value);
    CHECK(std::vector<double>(array.shape.begin(), array.shape.end()) == shape);
    CHECK(array.data == std::get<json::Numbers>(json::find(each, "values")->value));
  }
}

TEST_CASE(
    "problem file: the matrix of a linear layer is in × out, and out × in under PyTorch's name") {
  const auto draft = parse_problem(R"({"weights": {"w_q": {"linear": [3, 2], "seed": 789},
    "q_proj.weight": {"linear": [3, 2], "seed": 789}}})",
                                   "a.json")
                         .draft;
  const Array &own = draft.weights.at("w_q"), &theirs = draft.weights.at("q_proj.weight");
  CHECK(own.shape == std::vector<std::ptrdiff_t>{3, 2});
  CHECK(theirs.shape == std::vector<std::ptrdiff_t>{2, 3});
  CHECK(own.data[1] == theirs.data[3]);
  CHECK(own.data[2] == theirs.data[1]);
}

TEST_CASE("problem file: the order of keys does not matter for what was drawn before") {
  const auto numbers = [](const char* source) {
    return parse_problem(std::string("{\"q\": ") + source + "}", "a.json").draft.q->data;
  };
  CHECK(numbers(R"({"skip": 3, "seed": 7, "randn": [1, 5]})") ==
        numbers(R"({"randn": [1, 5], "seed": 7, "skip": [{"randn": [3]}]})"));
}

TEST_CASE("problem file: what a generator cannot draw is refused with the reason") {
  check_rows(std::vector<ProblemRow>{
      {R"({"q": {"randn": [2, 2], "seed": 1, "skip": -1}})", "out-of-range",
       "expected " + whole_number("0", "100000000") + " to skip, found -1",
       "Write how many numbers were drawn before, such as 6.", "/q/skip", 44},
      {R"({"q": {"randn": [2, 2], "seed": 1, "skip": [99999999, 2]}})", "out-of-range",
       "expected at most 100000000 numbers to skip, found more", "Draw fewer numbers before.",
       "/q/skip/1", 55},
      {R"({"q": {"randn": [2, 2], "seed": 1, "skip": {"randn": [99999, 99999]}}})", "out-of-range",
       "expected at most 100000000 numbers to skip, found more", "Draw fewer numbers before.",
       "/q/skip/randn", 54},
      {R"({"q": {"randn": [2, 2], "seed": 1, "skip": {"randn": [2], "seed": 1}}})", "unknown-key",
       no_such("key", "seed") + " in q/skip", kRemoveIt, "/q/skip/seed", 59},
      {R"({"q": {"randn": [2, 2], "seed": 4294967296, "numpy": true}})", "out-of-range",
       "expected a seed below 2^32, as np.random.seed has it", kSeed, "/q/seed", 33},
      {R"({"q": {"randn": [2, 2], "seed": 1, "numpy": "default_rng"}})", "out-of-range",
       "attn does not draw the normal numbers of default_rng, only rand and randint",
       "Save the numbers with numpy.save, and name the file: {\"file\": \"x.npy\"}.", "/q/numpy",
       45},
      {R"({"q": {"randint": [2, 2], "low": 3, "high": 3, "seed": 1}})", "out-of-range",
       "expected a number above low, which is 3, by less than 2^28, found 3",
       "Numbers are drawn from low to below high.", "/q/high", 45},
      {R"({"q": {"rand": [2, 2], "seed": 1, "numpy": 1}})", "wrong-type",
       "expected true, false or \"default_rng\", found the number 1",
       "Write true for np.random.seed, \"default_rng\" for np.random.default_rng.", "/q/numpy", 44},
  });
}

TEST_CASE("problem file: numbers may be written as arithmetic, as in answers") {
  const auto draft =
      parse_problem(
          R"json({"q": [["1/2", "√2/2"], ["e/(e+1)", "−3"]], "weights": {"b_q": ["1/4", 1]},
    "embedding_table": {"a": ["1/8"]}, "bias": [["-1/2", "-Infinity"]]})json",
          "a.json")
          .draft;
  CHECK(draft.q->data[0] == 0.5);
  CHECK(close(0.7071067811865476, draft.q->data[1]));
  CHECK(close(0.7310585786300049, draft.q->data[2]));
  CHECK(draft.q->data[3] == -3.0);
  CHECK(draft.weights.at("b_q").data == std::vector<double>{0.25, 1.0});
  CHECK(draft.bias->data[0] == -0.5);
  check_rows(std::vector<ProblemRow>{
      {R"({"q": [["1/0"]]})", "wrong-type", expected("a number", "the string \"1/0\""),
       kWithoutQuotes, "/q/0/0", 9},
      {R"({"q": [["∞"]]})", "wrong-type", expected("a number", "the string \"∞\""), kWithoutQuotes,
       "/q/0/0", 9},
      {R"({"allowed": [["1/1"]]})", "wrong-type",
       expected("0, 1, false or true", "the string \"1/1\""), kTrueOrFalse, "/allowed/0/0", 15},
  });
}

}  // namespace attn::testing
