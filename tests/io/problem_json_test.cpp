// A draft that is written and read again is the same draft.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "attn/core/random_problem.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/io/samples.hpp"
#include "attn/setting_names.hpp"
#include "support/compare.hpp"
#include "support/infinity.hpp"
#include "support/random_problem.hpp"

namespace attn::testing {
namespace {

using Numbers = std::vector<double>;

// `alike`: as numbers are, of which −0 is not 0 and NaN is NaN.

template <typename T>
bool alike(const T& a, const T& b) {
  return a == b;
}

bool alike(double a, double b) { return same(a, b); }

bool alike(const Numbers& a, const Numbers& b) {
  return same(std::span<const double>(a), std::span<const double>(b));
}

bool alike(const Array& a, const Array& b) { return a.shape == b.shape && alike(a.data, b.data); }

bool alike(const MaskSpec& a, const MaskSpec& b) { return a.text == b.text; }

bool alike(const ScaleRule& a, const ScaleRule& b) {
  return a.kind == b.kind && alike(a.number, b.number);
}

bool alike(const ProblemDraft::Memory& a, const ProblemDraft::Memory& b) {
  const bool values =
      a.values.has_value() == b.values.has_value() && (!a.values || alike(*a.values, *b.values));
  return values && a.tokens == b.tokens && alike(a.embeddings, b.embeddings) &&
         a.embedding_table == b.embedding_table;
}

bool alike(const ProblemDraft::Past& a, const ProblemDraft::Past& b) {
  return a.tokens == b.tokens && alike(a.k, b.k) && alike(a.v, b.v);
}

bool alike(const Positions& a, const Positions& b) {
  return a.kind == b.kind && a.base == b.base && a.rotary_dim == b.rotary_dim &&
         a.offset == b.offset && alike(a.slopes, b.slopes);
}

template <typename T>
bool alike(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || alike(*a, *b));
}

/// Lists and maps.
template <typename T>
bool all_alike(const T& a, const T& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    if constexpr (requires { x.first; }) {
      return x.first == y.first && alike(x.second, y.second);
    } else {
      return alike(x, y);
    }
  });
}

struct Field {
  const char* name;
  bool (*kept)(const ProblemDraft& a, const ProblemDraft& b);
};

using Draft = ProblemDraft;

/// Without the other keys of models: model_fields_test.cpp reads each of them back.
constexpr Field kFields[] = {
    {"title", [](const Draft& a, const Draft& b) { return a.title == b.title; }},
    {"description", [](const Draft& a, const Draft& b) { return a.description == b.description; }},
    {"tokens", [](const Draft& a, const Draft& b) { return a.tokens == b.tokens; }},
    {"embeddings",
     [](const Draft& a, const Draft& b) { return alike(a.embeddings, b.embeddings); }},
    {"embedding_table",
     [](const Draft& a, const Draft& b) {
       return all_alike(a.embedding_table, b.embedding_table);
     }},
    {"memory", [](const Draft& a, const Draft& b) { return alike(a.memory, b.memory); }},
    {"source", [](const Draft& a, const Draft& b) { return alike(a.source, b.source); }},
    {"weights", [](const Draft& a, const Draft& b) { return all_alike(a.weights, b.weights); }},
    {"add_zero_attn",
     [](const Draft& a, const Draft& b) { return a.add_zero_attn == b.add_zero_attn; }},
    {"q", [](const Draft& a, const Draft& b) { return alike(a.q, b.q); }},
    {"k", [](const Draft& a, const Draft& b) { return alike(a.k, b.k); }},
    {"v", [](const Draft& a, const Draft& b) { return alike(a.v, b.v); }},
    {"past", [](const Draft& a, const Draft& b) { return alike(a.past, b.past); }},
    {"key_tokens", [](const Draft& a, const Draft& b) { return a.key_tokens == b.key_tokens; }},
    {"heads", [](const Draft& a, const Draft& b) { return a.heads == b.heads; }},
    {"kv_heads", [](const Draft& a, const Draft& b) { return a.kv_heads == b.kv_heads; }},
    {"masks", [](const Draft& a, const Draft& b) { return all_alike(a.masks, b.masks); }},
    {"allowed", [](const Draft& a, const Draft& b) { return alike(a.allowed, b.allowed); }},
    {"bias", [](const Draft& a, const Draft& b) { return alike(a.bias, b.bias); }},
    {"key_lengths", [](const Draft& a, const Draft& b) { return a.key_lengths == b.key_lengths; }},
    {"align", [](const Draft& a, const Draft& b) { return a.align == b.align; }},
    {"masking", [](const Draft& a, const Draft& b) { return a.masking == b.masking; }},
    {"fill", [](const Draft& a, const Draft& b) { return alike(a.fill, b.fill); }},
    {"mask_before_scale",
     [](const Draft& a, const Draft& b) { return a.mask_before_scale == b.mask_before_scale; }},
    {"empty_row", [](const Draft& a, const Draft& b) { return a.empty_row == b.empty_row; }},
    {"scale", [](const Draft& a, const Draft& b) { return alike(a.scale, b.scale); }},
    {"softcap", [](const Draft& a, const Draft& b) { return alike(a.softcap, b.softcap); }},
    {"positions", [](const Draft& a, const Draft& b) { return alike(a.positions, b.positions); }},
    {"dtype", [](const Draft& a, const Draft& b) { return a.dtype == b.dtype; }},
};

Draft read_back(const Draft& draft) { return parse_problem(problem_json(draft), "a.json").draft; }

/// The first field that the file does not bring back; empty if all come back.
std::string lost(const Draft& draft) {
  const Draft found = read_back(draft);
  for (const Field& field : kFields) {
    if (!field.kept(draft, found)) return field.name;
  }
  return "";
}

/// How one number is written, as the only one of X.
std::string written(double number) {
  Draft draft;
  draft.embeddings = Array{{1, 1}, {number}};
  CHECK(lost(draft) == "");
  const std::string text = problem_json(draft);
  const std::size_t begin = text.find("    [") + 5;
  return text.substr(begin, text.find(']', begin) - begin);
}

}  // namespace

TEST_CASE("problem json: the draft of every sample comes back") {
  for (const Sample& sample : samples()) {
    CAPTURE(sample.name);
    CHECK(lost(parse_problem(std::string(sample.text), "a.json").draft) == "");
  }
}

TEST_CASE("problem json: the drafts of random problems come back") {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    CHECK(lost(random_problem(seed)) == "");
  }
}

TEST_CASE("problem json: problems of random_draft come back, float32 numbers bit for bit") {
  CHECK(lost(random_draft({.heads = 2, .seed = 3})) == "");
  CHECK(lost(random_draft({.tokens = 20, .d_model = 32, .seed = 3, .normal = true})) == "");
}

TEST_CASE("problem json: keys are in the documented order, rows on their own lines") {
  Draft draft;
  draft.title = "Two \"small\" words";
  draft.tokens = {{"the", "cat"}};
  draft.embeddings = Array{{2, 3}, {1, -2, 0.5, 0, 10, -kInfinity}};
  draft.weights["b_q"] = Array{{2}, {-1, 10}};
  draft.weights["in_proj_bias"] = Array{{1}, {2}};
  draft.weights["w_v"] = Array{{1, 2, 1}, {1, 2}};
  draft.weights["w_q"] = Array{{1, 2}, {3, 4}};
  draft.add_zero_attn = true;
  draft.heads = 1;
  draft.masks = {parse_mask("causal"), parse_mask("keys:the")};
  draft.masking = MaskingMode::Add;
  draft.fill = -1e9;
  draft.scale = {ScaleRule::Kind::Number, 0.1};
  draft.positions = {PositionKind::Rope, 100.0, {}, 2, {}};
  CHECK(problem_json(draft) == R"({
  "format": "attn.problem",
  "format_version": "1.0",
  "title": "Two \"small\" words",
  "tokens": ["the", "cat"],
  "embeddings": [
    [          1,          -2,         0.5],
    [          0,          10, "-Infinity"]
  ],
  "weights": {
    "w_q": [
      [3, 4]
    ],
    "w_v": [
      [
        [1],
        [2]
      ]
    ],
    "b_q": [-1, 10],
    "in_proj_bias": [2],
    "add_zero_attn": true
  },
  "heads": 1,
  "mask": ["causal", "keys:the"],
  "masking": {"mode": "add", "fill": -1000000000},
  "scale": 0.1,
  "positions": {"kind": "rope", "base": 100, "offset": 2}
}
)");
}

TEST_CASE("problem json: what is at its default is left out") {
  CHECK(problem_json({}) ==
        "{\n  \"format\": \"attn.problem\",\n  \"format_version\": \"1.0\"\n}\n");
  Draft draft;
  draft.scale.kind = ScaleRule::Kind::None;
  draft.positions.kind = PositionKind::Alibi;
  draft.masks = {parse_mask("window:2")};
  CHECK(problem_json(draft).find("\"mask\": \"window:2\",\n  \"scale\": \"none\",\n"
                                 "  \"positions\": \"alibi\"\n}") != std::string::npos);
}

TEST_CASE("problem json: tables have a row for each token, and any text can be one") {
  Draft draft;
  draft.tokens = {{"a", "\"\\\n猫\x01"}, {"_", ""}};
  draft.embedding_table = {
      {"a", {1, 0}}, {"\"\\\n猫\x01", {-1, 0.25}}, {"_", {0, 0}}, {"", {1, 1}}};
  CHECK(lost(draft) == "");
  CHECK(problem_json(draft).find("    \"a\": [   1,    0],\n") != std::string::npos);
  CHECK(problem_json(draft).find("    [\"_\", \"\"]\n  ],\n") != std::string::npos);
}

TEST_CASE("problem json: text becomes its tokens") {
  Draft draft;
  draft.tokens = {{"other"}};
  draft.text = " the  cat ";
  CHECK(read_back(draft).tokens == TokenLists{{"the", "cat"}});
}

TEST_CASE("problem json: every word of every setting comes back") {
  Draft draft;
  for (const auto& name : words_of<Align>()) {
    draft.align = parse_word<Align>(name, "");
    CHECK(lost(draft) == "");
  }
  for (const auto& name : words_of<MaskingMode>()) {
    draft.masking = parse_word<MaskingMode>(name, "");
    CHECK(lost(draft) == "");
  }
  for (const auto& name : words_of<EmptyRow>()) {
    draft.empty_row = parse_word<EmptyRow>(name, "");
    CHECK(lost(draft) == "");
  }
  for (const auto& name : words_of<Dtype>()) {
    draft.dtype = parse_word<Dtype>(name, "");
    CHECK(lost(draft) == "");
  }
  for (const auto& name : words_of<PositionKind>()) {
    draft.positions = {parse_word<PositionKind>(name, ""), {}, 4, {}, {0.5, 0.25}};
    CHECK(lost(draft) == "");
    draft.positions = {parse_word<PositionKind>(name, ""), {}, {}, {}, {}};
    CHECK(lost(draft) == "");
  }
}

TEST_CASE("problem json: numbers are as short as they can be and read back the same") {
  CHECK(written(0) == "0");
  CHECK(written(-0.0) == "-0");
  CHECK(written(-2) == "-2");
  CHECK(written(0.1) == "0.1");
  CHECK(written(100000) == "100000");
  CHECK(written(1e22) == "1e+22");
  CHECK(written(9007199254740993.0) == "9007199254740992");
  CHECK(written(1.0 / 3) == "0.3333333333333333");
  CHECK(written(static_cast<double>(0.1F)) == "0.10000000149011612");
  CHECK(written(5e-324) == "5e-324");
  CHECK(written(-1.7976931348623157e308) == "-1.7976931348623157e+308");
  CHECK(written(kInfinity) == "\"Infinity\"");
  CHECK(written(std::numeric_limits<double>::quiet_NaN()) == "\"NaN\"");
}

}  // namespace attn::testing
