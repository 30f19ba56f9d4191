// What a problem cannot be made of: gates, norms of queries and keys, sinks, a vocabulary.
#include <doctest/doctest.h>

#include <string>

#include "attn/error.hpp"
#include "attn/io/problem_file.hpp"
#include "attn/problem.hpp"
#include "support/errors.hpp"
#include "support/phrases.hpp"

namespace attn::testing {
namespace {

/// Two tokens, d_model 3, d_k = d_v = 2.
constexpr const char* kThreeToTwo = R"("embeddings": [[1, 0, 1], [0, 1, 1]], "weights": {
  "w_q": [[1, 0], [0, 1], [1, 1]], "w_k": [[1, 0], [0, 1], [1, 1]], "w_v": [[1, 0], [0, 1], [1, 1]])";
constexpr const char* kGateWeights = R"(, "w_gate": [[1, 1], [1, 1], [1, 1]])";
constexpr const char* kTwoWords = R"("vocabulary": {"w": [[1, 0], [0, 1]], "tokens": ["a", "b"]})";

/// "id pointer: what" of the first error of the small problem with more weights and keys.
std::string refusal_of(const std::string& weights, const std::string& keys) {
  const std::string text = "{" + std::string(kThreeToTwo) + weights + "}" + keys + "}";
  const Diagnostic first = refusal_from([&] { make_problem(parse_problem(text, "a.json").draft); });
  if (first.what.empty()) return "";
  CHECK(!first.fix.empty());
  return first.id + " " + first.places.at(0).pointer + ": " + first.what;
}

}  // namespace

TEST_CASE("problem: gates, norms, sinks and vocabularies that do not fit are named with a place") {
  const std::string gate = kGateWeights, words = kTwoWords;
  struct Row {
    std::string weights, keys, error;
  };
  const Row rows[] = {
      {gate, R"(, "attention_gate": {"activation": "sigmoid"})", ""},
      {"", R"(, "attention_gate": {})",
       "missing-key /attention_gate: there is a gate, but no w_gate makes it"},
      {R"(, "b_gate": [1, 2])", "",
       "missing-key /weights/b_gate: b_gate is given, but w_gate is not"},
      {gate, R"(, "attention_gate": {"activation": "sigmod"})",
       "unknown-value /attention_gate/activation: " + no_activation("sigmod")},
      {R"(, "w_gate": [[1, 1], [1, 1]])", "",
       "shape-mismatch /weights/w_gate: w_gate is 2×2, but it should be 3×2"},
      {gate + R"(, "b_gate": [1])", "",
       "shape-mismatch /weights/b_gate: b_gate has 1 number, but w_gate should have 2 columns"},
      {"", R"(, "qk_norm": {"kind": "rms"})", ""},
      {"", R"(, "qk_norm": {"kind": "rms", "eps": -1})",
       "out-of-range /qk_norm/eps: eps should be a number from 0 on"},
      {"", R"(, "qk_norm": {"kind": "rms", "offset": 2})",
       "out-of-range /qk_norm/offset: offset should be 0 or 1"},
      {"", R"(, "qk_norm": {"kind": "rms", "after": "rope"})",
       "out-of-range /qk_norm/after: the norm comes after rope, but positions are not rotary"},
      {R"(, "q_norm": [1, 1, 1], "k_norm": [1, 1])", R"(, "qk_norm": {"kind": "rms"})",
       "shape-mismatch /weights/q_norm: q_norm is 3, but a head of the queries has 2 columns"},
      {"", R"(, "sinks": [1, 2, 3])", "shape-mismatch /sinks: there are 3 sinks for 1 head"},
      {"", ", " + words, ""},
      {"", ", " + words + R"(, "labels": ["a", "c"])",
       "unknown-token /labels/1: the label " + not_in_vocabulary("c")},
      {"", ", " + words + R"(, "labels": [0, 7])",
       "out-of-range /labels/1: " + no_word(7) + " in the vocabulary"},
      {"", R"(, "vocabulary": {"w": [[1, 0], [0, 1]], "tokens": ["a", "b", "c"]})",
       "shape-mismatch /vocabulary/tokens: vocabulary.tokens has 3 tokens, but vocabulary.w has 2 "
       "columns"},
      {"", R"(, "vocabulary": {"w": [[1, 0], [0, 1]], "b": [1]})",
       "shape-mismatch /vocabulary/b: vocabulary.b has 1 number, but vocabulary.w has 2 columns"},
      {"", R"(, "vocabulary": {"w": [[1, 0]]})",
       "shape-mismatch /vocabulary/w: " + unfit_rows("vocabulary.w has 1 row", 2)},
  };
  for (const Row& row : rows) {
    CAPTURE(row.weights);
    CAPTURE(row.keys);
    CHECK(refusal_of(row.weights, row.keys) == row.error);
  }
}

}  // namespace attn::testing
