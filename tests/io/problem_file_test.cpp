// Keys of a problem file, read into a draft.
#include "attn/io/problem_file.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "support/infinity.hpp"

namespace attn::testing {
namespace {

ProblemDraft draft_of(const std::string& text) { return parse_problem(text, "a.json").draft; }

using Sizes = std::vector<Index>;
using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("problem file: an empty object is a draft in which everything is at its default") {
  const ProblemDraft draft = draft_of("{}");
  CHECK(draft.title.empty());
  CHECK(draft.tokens.empty());
  CHECK_FALSE(draft.embeddings);
  CHECK(draft.weights.empty());
  CHECK_FALSE(draft.heads);
  CHECK(draft.masks.empty());
  CHECK(draft.align == Align::Start);
  CHECK(draft.masking == MaskingMode::Replace);
  CHECK_FALSE(draft.fill);
  CHECK(draft.empty_row == EmptyRow::Zero);
  CHECK(draft.scale.kind == ScaleRule::Kind::Usual);
  CHECK_FALSE(draft.softcap);
}

TEST_CASE("problem file: self attention is read key by key") {
  const ProblemDraft draft = draft_of(R"({
    "format": "attn.problem", "format_version": "1.7", "$schema": "x", "_note": [{"any": 1}],
    "title": "Two tokens", "description": "by hand",
    "tokens": ["the", "nan"],
    "embeddings": [[1, 0, 0.5], [0, -1, 2e1]],
    "weights": {"_comment": 1, "w_q": [[1], [2], [3]], "w_k": [[[1], [0], [0]]], "b_o": [1, 2]},
    "heads": 2, "kv_heads": 1.0,
    "mask": "causal"
  })");
  CHECK(draft.title == "Two tokens");
  CHECK(draft.description == "by hand");
  CHECK(draft.tokens == TokenLists{{"the", "nan"}});
  CHECK(draft.embeddings->shape == Sizes{2, 3});
  CHECK(draft.embeddings->data == Numbers{1, 0, 0.5, 0, -1, 20});
  REQUIRE(draft.weights.size() == 3);
  CHECK(draft.weights.at("w_q").shape == Sizes{3, 1});
  CHECK(draft.weights.at("w_k").shape == Sizes{1, 3, 1});
  CHECK(draft.weights.at("b_o").shape == Sizes{2});
  CHECK(draft.heads == 2);
  CHECK(draft.kv_heads == 1);
  REQUIRE(draft.masks.size() == 1);
  CHECK(draft.masks[0].text == "causal");
}

TEST_CASE("problem file: every projection and bias has its key") {
  const ProblemDraft draft = draft_of(R"({"weights": {
    "w_q": [[1]], "w_k": [[2]], "w_v": [[3]], "w_o": [[4]],
    "b_q": [5], "b_k": [6], "b_v": [7], "b_o": [8]}})");
  const char* names[] = {"w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o"};
  for (int i = 0; i < 8; ++i) CHECK(draft.weights.at(names[i]).data == Numbers{i + 1.0});
}

TEST_CASE("problem file: Q K V, past, memory and tables are read") {
  const ProblemDraft draft = draft_of(R"({
    "q": [[1, 2]], "k": [[[1, 2]], [[3, 4]]], "v": [[[[1], [2]]]],
    "past": {"tokens": ["p"], "k": [[9]], "v": [[8]]},
    "key_tokens": [["a"], ["b"]],
    "memory": {"tokens": ["m"], "embeddings": [[1, 2, 3]]},
    "embedding_table": {"the": [1, 2], "_": [3, 4], "$x": [5, 6]}
  })");
  CHECK(draft.q->shape == Sizes{1, 2});
  CHECK(draft.k->shape == Sizes{2, 1, 2});
  CHECK(draft.v->shape == Sizes{1, 1, 2, 1});
  CHECK(draft.past->tokens == std::vector<std::string>{"p"});
  CHECK(draft.past->k.data == Numbers{9});
  CHECK(draft.past->v.data == Numbers{8});
  CHECK(draft.key_tokens == TokenLists{{"a"}, {"b"}});
  CHECK(draft.memory->tokens == TokenLists{{"m"}});
  CHECK(draft.memory->embeddings.shape == Sizes{1, 3});
  REQUIRE(draft.embedding_table.size() == 3);
  CHECK(draft.embedding_table[0].first == "the");
  CHECK(draft.embedding_table[1].first == "_");
  CHECK(draft.embedding_table[2].second == Numbers{5, 6});
}

TEST_CASE("problem file: what hides and shifts scores is read") {
  const ProblemDraft draft = draft_of(R"({
    "mask": ["causal", "window:2,1"],
    "allowed": [[0, 1], [true, false]],
    "bias": [-0.5, "-Infinity"],
    "key_lengths": [3, 0], "align": "key-lengths",
    "masking": {"mode": "add", "fill": -1e9},
    "empty_row": "uniform", "scale": 0.25, "softcap": 30
  })");
  REQUIRE(draft.masks.size() == 2);
  CHECK(draft.masks[1].text == "window:2,1");
  CHECK(draft.allowed->data == Numbers{0, 1, 1, 0});
  CHECK(draft.bias->shape == Sizes{2});
  CHECK(draft.bias->data == Numbers{-0.5, -kInfinity});
  CHECK(draft.key_lengths == std::vector<Index>{3, 0});
  CHECK(draft.align == Align::KeyLengths);
  CHECK(draft.masking == MaskingMode::Add);
  CHECK(draft.fill == -1e9);
  CHECK(draft.empty_row == EmptyRow::Uniform);
  CHECK(draft.scale.kind == ScaleRule::Kind::Number);
  CHECK(draft.scale.number == 0.25);
  CHECK(draft.softcap == 30);
}

TEST_CASE("problem file: infinities and NaN are strings, long and short, among numbers") {
  const ProblemDraft draft =
      draft_of(R"({"bias": [["-Infinity", 1, "Infinity"], ["-inf", "inf", -0.0]],
                   "q": [["NaN", "nan"]], "masking": {"fill": "-Infinity"}})");
  CHECK(draft.bias->data == Numbers{-kInfinity, 1, kInfinity, -kInfinity, kInfinity, 0});
  CHECK(std::signbit(draft.bias->data[5]));
  CHECK(std::isnan(draft.q->data[0]));
  CHECK(std::isnan(draft.q->data[1]));
  CHECK(draft.fill == -kInfinity);
}

TEST_CASE("problem file: the words of a scale and an empty list of masks are read") {
  CHECK(draft_of(R"({"scale": "none"})").scale.kind == ScaleRule::Kind::None);
  const ProblemDraft draft = draft_of("{\"scale\": \"1/sqrt(d_k)\", \"mask\": []}");
  CHECK(draft.scale.kind == ScaleRule::Kind::InverseSqrtDk);
  CHECK(draft.masks.empty());
}

}  // namespace attn::testing
