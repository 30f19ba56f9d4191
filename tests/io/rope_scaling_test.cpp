// Scaled rotary positions: the numbers of PyTorch, what each paper promises, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/error.hpp"
#include "attn/gradient.hpp"
#include "attn/io/problem_file.hpp"
#include "core/operations/positions/rope_frequencies.hpp"
#include "io/json/json.hpp"
#include "io/problem/problem_fields.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

RopeScaling scaling_of(RopeScalingKind kind, double factor, Index trained) {
  RopeScaling s;
  s.kind = kind;
  s.factor = factor;
  s.max_position_embeddings = trained;
  return s;
}

double number_of(const json::Node& node) { return std::get<double>(node.value); }

std::string scaled_problem(const std::string& positions) {
  return R"({"q": [[1, 2, 3, 4], [1, 0, 1, 1]], "k": [[1, 2, 3, 4], [2, 1, 0, 1]], "v": [[1], [2]],
             "positions": {)" +
         positions + "}}";
}

std::string scaling_refusal(const std::string& positions) {
  return place_and_what(
      refusal_from([&] { make_problem(parse_problem(scaled_problem(positions), "p").draft); }));
}

}  // namespace

TEST_CASE("scaled rope: frequencies and factors are those of PyTorch") {
  const json::Document file =
      json::parse(read_test_file("reference/rope_scaling.json"), "rope_scaling.json");
  const auto& cases = std::get<json::Items>(file.root.value);
  REQUIRE(cases.size() == 12);
  for (const json::Node& each : cases) {
    CAPTURE(&each - cases.data());
    ProblemDraft draft;
    read_rope_scaling({file, *json::find(each, "scaling"), ""}, draft);
    const auto dim = static_cast<Index>(number_of(*json::find(each, "dim")));
    const double base = number_of(*json::find(each, "base"));
    CHECK(scaling_complaints(*draft.positions.scaling, base, dim).empty());
    const RopeFrequencies made =
        rope_frequencies(base, dim, *draft.positions.scaling,
                         static_cast<Index>(number_of(*json::find(each, "length"))));
    const auto& expected = std::get<json::Numbers>(json::find(each, "frequencies")->value);
    REQUIRE(made.each.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(close(1, made.each[i] / expected[i]));
    CHECK(close(number_of(*json::find(each, "attention_factor")), made.attention_factor));
  }
}

TEST_CASE("scaled rope: what each paper promises") {
  const std::vector<double> plain = rope_frequencies(1e4, 64, {}, 1).each;
  const auto last = plain.size() - 1;
  CHECK(rope_frequencies(1e4, 64, scaling_of(RopeScalingKind::Linear, 4, 1), 1).each[7] ==
        plain[7] / 4);

  RopeScaling llama = scaling_of(RopeScalingKind::Llama3, 8, 8192);
  llama.low_freq_factor = 1;
  llama.high_freq_factor = 4;
  const std::vector<double> smooth = rope_frequencies(1e4, 64, llama, 1).each;
  CHECK(smooth[0] == plain[0]);
  CHECK(smooth[last] == plain[last] / 8);
  for (std::size_t i = 1; i <= last; ++i)
    CHECK(smooth[i] / plain[i] <= smooth[i - 1] / plain[i - 1]);

  const RopeScaling yarn = scaling_of(RopeScalingKind::Yarn, 16, 4096);
  const RopeFrequencies ramp = rope_frequencies(1e4, 64, yarn, 1);
  CHECK(ramp.each[0] == plain[0]);
  CHECK(ramp.each[last] == plain[last] / 16);
  CHECK(close(0.1 * std::log(16.0) + 1, ramp.attention_factor));

  const RopeScaling dynamic = scaling_of(RopeScalingKind::Dynamic, 2, 100);
  CHECK(rope_frequencies(1e4, 64, dynamic, 100).each == plain);  // as long as it was trained for
  const std::vector<double> longer = rope_frequencies(1e4, 64, dynamic, 200).each;
  CHECK(longer[0] == 1.0);                          // the first pair has no base
  CHECK(close(1, longer[last] * 3 / plain[last]));  // the last one: 2·200/100 − 1

  CHECK(depends_on_length(dynamic));
  CHECK_FALSE(depends_on_length(yarn));
}

TEST_CASE("scaled rope: lengths, products and gradients of rotated queries follow the factor") {
  const Problem problem = make_problem(
      parse_problem(scaled_problem(R"("kind": "rope", "scaling": {"type": "yarn", "factor": 4,
          "original_max_position_embeddings": 64})"),
                    "p")
          .draft);
  const Trace trace = attend_and_back(problem, {}, {});
  const double factor = 0.1 * std::log(4.0) + 1;
  const auto squares = [&](const char* id) {
    double sum = 0.0;
    for (const double x : trace.value(id).data()) sum += x * x;
    return sum;
  };
  CHECK(close(factor * factor * squares("q"), squares("q_rotated")));
  CHECK(close(factor * factor * squares("q_rotated.grad"), squares("q.grad")));
}

TEST_CASE("scaled rope: what makes no sense is refused with the reason") {
  const std::string rope = R"("kind": "rope", )";
  CHECK(scaling_refusal(rope + R"("scaling": {"rope_type": "linear"})") ==
        "/positions/scaling linear needs factor");
  CHECK(scaling_refusal(rope +
                        R"("scaling": {"rope_type": "linear", "factor": 2, "beta_fast": 3})") ==
        "/positions/scaling/beta_fast beta_fast is no parameter of linear");
  CHECK(scaling_refusal(rope + R"("scaling": {"rope_type": "dynamic", "factor": 2})") ==
        "/positions/scaling dynamic needs max_position_embeddings");
  CHECK(scaling_refusal(rope + R"("scaling": {"rope_type": "yarn",
                          "original_max_position_embeddings": 8})") ==
        "/positions/scaling yarn needs a factor");
  CHECK(scaling_refusal(rope +
                        R"("scaling": {"rope_type": "longrope", "factor": 2, "short_factor": [1],
        "long_factor": [1, 2], "original_max_position_embeddings": 8})") ==
        "/positions/scaling/short_factor short_factor should be one number for each of the 2 pairs "
        "of columns");
  CHECK(scaling_refusal(rope +
                        R"("scaling": {"rope_type": "longrope", "factor": 2, "short_factor": [1, 2],
        "long_factor": [0, -1], "original_max_position_embeddings": 8})") ==
        "/positions/scaling these numbers of longrope give no angles");
  CHECK(scaling_refusal(R"("kind": "alibi", "scaling": {"rope_type": "linear", "factor": 2})") ==
        "/positions/scaling " + belongs_to_position("scaling") + "rope, not of alibi");
  CHECK(scaling_refusal(rope + R"("base": 10, "scaling": {"rope_theta": 20})") ==
        "/positions/base base is not what scaling/rope_theta says");
  CHECK(scaling_refusal(rope + R"("rotary_dim": 4, "partial_rotary_factor": 0.5)") ==
        "/positions/rotary_dim rotary_dim is not what partial_rotary_factor says");
  CHECK(scaling_refusal(rope + R"("partial_rotary_factor": 1.5)") ==
        "/positions/partial_rotary_factor partial_rotary_factor should be above 0, and at most 1");
  CHECK(scaling_refusal(rope + R"("partial_rotary_factor": 0.25)")
            .find("/positions/partial_rotary_factor rope rotates pairs of columns") == 0);
  CHECK(scaling_refusal(rope + R"("partial_rotary_factor": 0.5)") == "");
  CHECK(scaling_refusal(rope + R"("ids": [7, 0])") == "");
  CHECK(scaling_refusal(rope + R"("ids": [0])") ==
        "/positions/ids/0 ids has 1 position, but there are 2 new tokens");
  CHECK(scaling_refusal(rope + R"("ids": [[0, 1], [0, 0]])") ==
        "/positions/ids ids has 2 lists, but there is 1 batch entry");
  CHECK(scaling_refusal(rope + R"("ids": [0, 1], "offset": 2)") ==
        "/positions/offset ids say all positions, so nothing counts from an offset");
  CHECK(scaling_refusal(R"("kind": "alibi", "ids": [0, 1])") ==
        "/positions/ids " + belongs_to_position("ids") +
            "sinusoidal, learned and rope, not of alibi");
}

}  // namespace attn::testing
