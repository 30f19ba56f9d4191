// What a problem file can get wrong besides sizes.
#include <doctest/doctest.h>

#include "io/error_rows.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

namespace attn::testing {
namespace {

const std::string kWeights =
    R"("weights": {"w_q": [[1, 0], [0, 1], [1, 1]], "w_k": [[1, 0], [0, 1], [1, 1]], "w_v": [[1, 0], [0, 1], [1, 1]]})";

/// A small problem of 2 tokens, d_model 3, with more keys added.
std::string small(const std::string& more) {
  return R"({"embeddings": [[1, 0, 2], [0, 1, 1]], )" + kWeights +
         (more.empty() ? "" : ", " + more) + "}";
}

}  // namespace

TEST_CASE("problem errors: counts agree with their nouns") {
  struct Row {
    std::string problem;
    const char* says;
  };
  const Row rows[] = {
      {R"({"embeddings": [[1]], "tokens": ["a", "b"], "weights": {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}})",
       "there are 2 tokens (a, b), but X has 1 row"},
      {R"({"embeddings": [[1], [2]], "tokens": ["a"], "weights": {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}})",
       "there is 1 token (a), but X has 2 rows"},
      {R"({"embeddings": [[1]], "weights": {"w_q": [[1], [2]]}})", "w_q has 2 rows; it needs 1"},
      {R"({"embeddings": [[1]], "weights": {"w_q": [[1], [2]]}})",
       "X has rows of 1 number (d_model)\n"},
      {R"({"embeddings": [[1]], "weights": {"w_q": [[1], [2]]}})",
       "Give w_q 1 row, or X rows of 2 numbers."},
      {R"({"embeddings": [[1]], "weights": {"w_q": [[1]], "b_q": [1, 2]}})",
       "b_q has 2 numbers, but w_q has 1 column"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "mask": "keys:1"})",
       "names key 1, but there is only key 0"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "mask": "documents:2"})",
       "add up to 2, but there is 1"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "allowed": [[1, 1]]})",
       "Give allowed 1 row of 1 number (query × key)."},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "tokens": [["a"], ["b"]]})",
       "tokens has 2 lists, but there is 1 batch entry"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.says);
    const std::string text = report_on(row.problem);
    CHECK_MESSAGE(text.find(row.says) != text.npos, text);
  }
}

TEST_CASE("problem errors: what a problem gets wrong has its own id and sentence") {
  struct Row {
    std::string more;      // added to the small problem
    std::string headline;  // how the error begins
    std::string fix;       // and what it advises
  };
  const Row rows[] = {
      {R"("tokens": ["the", "cat", "sat"])",
       "error[token-count]: there are 3 tokens (the, cat, sat), but X has 2 rows",
       "Name 2 tokens, or leave out \"tokens\"."},
      {R"("memory": {"embeddings": [[1, 2, "Infinity"]]})",
       "error[not-finite]: memory.embeddings has an infinite number",
       "Write a number; to hide a key, use a mask or a bias of \"-Infinity\"."},
      {R"("mask": "keys:2")",
       "error[mask-range]: the mask \"keys:2\" names key 2, but the keys are 0 to 1",
       "Name indices from 0 to 1, or a token."},
      {R"("mask": "keys:dog")",
       "error[mask-token]: the mask \"keys:dog\" names \"dog\", but no key has that name",
       "Name an index, a range such as 2-4, or one of these tokens: t0, t1."},
      {R"("mask": "queries:4")",
       "error[mask-range]: the mask \"queries:4\" names query 4, but the queries are 0 to",
       "Name indices from 0 to 1, or a token."},
      {R"("mask": "documents:1,2")",
       "error[mask-documents]: the lengths of \"documents:1,2\" add up to 3, but there are",
       "Give lengths that add up to 2."},
      {R"("mask": "casual")",
       "error[mask-unknown]: " + no_such("mask", "casual") + did_you_mean({"causal"}),
       "Write one of none, causal, window:LEFT[,RIGHT], prefix:N,"},
      {R"("mask": "window")", "error[mask-arguments]: the mask \"window\" does not have the form",
       "Write window:LEFT[,RIGHT], for example window:2."},
      {R"("mask": "keys:0-1", "empty_row": "error")",
       "error[empty-row]: queries 0 \"t0\" to 1 \"t1\" see no key",
       "Let the masks leave a key for these queries, or set \"empty_row\""},
      {R"("bias": [[1, 0], [0, "NaN"]])", "error[not-finite]: bias has NaN", "Write a number"},
      {R"("key_lengths": [3])", "error[key-lengths]: key_lengths says 3, but there are 2 keys",
       "Give a length from 0 to 2."},
      {R"("key_lengths": [1, 2])",
       "error[key-lengths]: key_lengths has 2 numbers, but there is 1 batch entry",
       "Give one length per batch entry."},
      {R"("softcap": 0)", "error[out-of-range]: softcap should be a number above 0",
       "Write \"softcap\": 30, or leave it out."},
      {R"("align": "key-lengths")",
       "error[missing-key]: align is \"key-lengths\", but key_lengths is not given",
       "Add \"key_lengths\": one number per batch entry."},
      {R"("heads": 2, "kv_heads": 3)", "error[head-count]: heads is 2 and kv_heads is 3",
       "Set kv_heads to 2."},
      {R"("kv_heads": 1)", "error[head-count]: kv_heads is given, but heads is not",
       "Give heads too, a multiple of 1."},
      {R"("q": [[1]], "k": [[1]], "v": [[1]])",
       "error[two-inputs]: the problem gives both embeddings and Q, K, V",
       "Keep either q, k, v, or embeddings and weights."},
  };
  for (const Row& row : rows) {
    CAPTURE(row.more);
    const std::string text = report_on(small(row.more));
    CHECK(first_difference(row.headline, text.substr(0, row.headline.size())) == "");
    CHECK_MESSAGE(text.find(row.fix) != text.npos, text);
  }
}

TEST_CASE(
    "problem errors: if one of q, k and v differs from the others, only one error is reported") {
  const auto only = [](const std::string& problem, const std::string& headline) {
    const std::string text = report_on(problem);
    CAPTURE(text);
    CHECK(text.starts_with("error" + headline + "\n"));
    CHECK(text.find("error[", 1) == text.npos);
  };
  only(R"({"q": [[[1]]], "k": [[1]], "v": [[1]]})", "[rank]: q has rank 3, but k has rank 2");
  only(R"({"q": [[1]], "k": [[1]], "v": [[[1]]]})", "[rank]: v has rank 3, but q has rank 2");
  only(R"({"q": [[[1]], [[2]]], "k": [[[1]]], "v": [[[1]]]})",
       "[batch-mismatch]: k has 1 batch entry, q has 2");
}

TEST_CASE("problem errors: problems without a way to compute Q, K and V say what is missing") {
  struct Row {
    std::string problem;
    const char* headline;
  };
  const Row rows[] = {
      {"{}", "error[missing-key]: the problem has no input: neither embeddings nor q, k, v"},
      {R"({"embeddings": [[1]], "weights": {"w_o": [[1]]}})",
       "error[missing-key]: weights has no w_q, w_k or w_v, so q, k and v can"},
      {R"({"q": [[1]], "k": [[1]]})",
       "error[missing-key]: q, k and v belong together, but v is missing"},
      {R"({"q": [[1]], "k": [[[1]]], "v": [[1]]})", "error[rank]: k has rank 3, but q has rank 2"},
      {R"({"q": [[[1]], [[2]]], "k": [[[1]]], "v": [[[1]], [[2]]]})",
       "error[batch-mismatch]: q has 2 batch entries, k has 1"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "weights": {"b_o": [1]}})",
       "error[missing-key]: b_o is given, but w_o is not"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "weights": {"w_q": [[1]]}})",
       "error[two-inputs]: w_q is given, but so are Q, K and V themselves"},
      {R"({"q": [[[[1]]]], "k": [[[[1]]]], "v": [[[[1]]]], "heads": 2})",
       "error[head-count]: heads is 2, but q is given for 1 head"},
      {R"({"embedding_table": {"a": [1]}})",
       "error[missing-tokens]: an embedding_table needs tokens to look up"},
      {R"({"embedding_table": {"the": [1], "cat": [2]}, "tokens": ["teh"]})",
       "error[unknown-token]: the token \"teh\" is not in embedding_table"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.problem);
    const std::string text = report_on(row.problem);
    CHECK(first_difference(row.headline, text.substr(0, std::string(row.headline).size())) == "");
  }
}

TEST_CASE("problem errors: a token cannot send escape sequences to the terminal") {
  const std::string text = report_on(R"({"embedding_table": {"a": [1]}, "tokens": ["\u001b[2J"]})");
  CHECK(text.find('\x1b') == text.npos);
  CHECK(text.find("\\e[2J") != text.npos);
}

}  // namespace attn::testing
