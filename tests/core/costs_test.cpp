// What an attention takes, in numbers and in letters.
#include "core/attention/costs.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "attn/attend.hpp"
#include "attn/io/problem_file.hpp"

namespace attn::testing {
namespace {

std::vector<std::string> costs_of_text(const std::string& text) {
  return costs(attend(make_problem(parse_problem(text, "a.json").draft)));
}

}  // namespace

TEST_CASE("costs: one head, with its formula in T, d and d_k") {
  const std::vector<std::string> lines =
      costs_of_text(R"({"embeddings": {"rand": [5, 6], "seed": 1},
    "weights": {"w_q": {"rand": [6, 4], "seed": 2}, "w_k": {"rand": [6, 4], "seed": 3},
    "w_v": {"rand": [6, 4], "seed": 4}}})");
  REQUIRE(lines.size() == 3);  // 3·5·6·4 + 2·5·5·4
  CHECK(lines[0] == "multiplications 560 = 3·T·d·d_k + 2·T²·d_k");
  CHECK(lines[1] == "cache 40 numbers = T·(d_k + d_v), 160 bytes in float32");
  CHECK(lines[2] == "rank of S 4 of 5; S is not symmetric");
}

TEST_CASE("costs: heads, fewer key heads and an output projection") {
  const std::vector<std::string> lines =
      costs_of_text(R"({"embeddings": {"rand": [3, 8], "seed": 1},
    "heads": 4, "kv_heads": 2, "weights": {"w_q": {"rand": [8, 8], "seed": 2},
    "w_k": {"rand": [8, 4], "seed": 3}, "w_v": {"rand": [8, 4], "seed": 4},
    "w_o": {"rand": [8, 8], "seed": 5}}})");
  REQUIRE(lines.size() == 3);  // 192 + 2·96 + 2·4·9·2 + 192
  CHECK(lines[0] == "multiplications 720 = T·d·h·d_k + 2·T·d·h_kv·d_k + 2·h·T²·d_k + T·h·d_k·d");
  CHECK(lines[1] == "cache 24 numbers = T·h_kv·(d_k + d_v), 96 bytes in float32");
  CHECK(lines[2] == "rank of S 2, 2, 2, 2 of 3; S is not symmetric");
}

TEST_CASE("costs: X·Xᵀ is symmetric; what does not follow its formula has none") {
  CHECK(costs_of_text(R"({"embeddings": [[1, 2], [2, 4], [0, 0]]})").at(2) ==
        "rank of S 1 of 3; S is symmetric");
  const auto batch = costs_of_text(R"({"embeddings": {"rand": [2, 3, 4], "seed": 1}})");
  CHECK(batch.at(0) == "multiplications 144");
  CHECK(batch.size() == 2);
  CHECK(costs_of_text(R"({"attention_weights": [[1]], "v": [[1]]})").empty());
}

}  // namespace attn::testing
