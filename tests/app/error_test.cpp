// Every error that a problem file or the command line can cause, pinned by its text.
#include <doctest/doctest.h>

#include "support/program.hpp"

using namespace attn::testing;

namespace {

/// Runs `explain -` on a problem that is wrong and returns what stands on stderr.
std::string complaint(const std::string& problem, std::vector<std::string> options = {}) {
  std::vector<std::string> args{"explain", "-"};
  args.insert(args.end(), options.begin(), options.end());
  const Ran ran = attn_run(args, problem);
  CHECK(ran.exit_code == 3);
  CHECK(ran.out.empty());
  return ran.err;
}

std::string usage(const std::vector<std::string>& args) {
  const Ran ran = attn_run(args);
  CHECK(ran.exit_code == 2);
  CHECK(ran.out.empty());
  return ran.err;
}

const std::string kWeights =
    R"("weights": {"w_q": [[1, 0], [0, 1], [1, 1]], "w_k": [[1, 0], [0, 1], [1, 1]], "w_v": [[1, 0], [0, 1], [1, 1]]})";

/// A small problem of 2 tokens, d_model 3, with more keys added.
std::string small(const std::string& more) {
  return R"({"embeddings": [[1, 0, 2], [0, 1, 1]], )" + kWeights +
         (more.empty() ? "" : ", " + more) + "}";
}

}  // namespace

TEST_CASE("errors: a product that does not fit names the step, both shapes and both places") {
  CHECK(first_difference(R"(error[shape-mismatch]: step Q = X·W_q cannot be computed: 2 is not 3

      X    ·   w_q
    (2×2)     (3×2)
       ^       ^     columns of X: 2 (d_model)   rows of w_q: 3

  --> <stdin>:3:11   /weights/w_q
    1 | {"embeddings": [[1, 0],
      |                - X has rows of 2 numbers (d_model)
      ...
    3 |    "w_q": [[1, 0], [0, 1], [1, 1]],
      |           ^ w_q has 3 rows; it needs 2

  rule  In A·B, A must have as many columns as B has rows.
  fix   Give w_q, w_k and w_v 2 rows, or X rows of 3 numbers. If they are stored
        as out × in, transpose them.
  more  attn help shapes
)",
                         complaint(R"({"embeddings": [[1, 0],
 [0, 1]], "weights": {
   "w_q": [[1, 0], [0, 1], [1, 1]],
   "w_k": [[1, 0], [0, 1], [1, 1]],
   "w_v": [[1, 0], [0, 1], [1, 1]]}})")) == "");
}

TEST_CASE("errors: heads that do not divide name the widths that would") {
  CHECK(first_difference(
            R"(error[heads-divide]: w_q has 2 columns, which cannot be cut into 3 heads of the
  same width

  --> --heads 3
  --> <stdin>:2:9   /weights/w_q
    2 | {"w_q": [[1, 0], [0, 1], [1, 1]], "w_k": [[1, 0], [0, 1], [1, 1]], "w_…
      |         ^

  rule  Every head gets the same number of columns: columns = heads × d.
  fix   Use heads = 1, 2.
  more  attn help shapes
)",
            complaint(R"({"embeddings": [[1, 0, 2], [0, 1, 1]], "weights":
{"w_q": [[1, 0], [0, 1], [1, 1]], "w_k": [[1, 0], [0, 1], [1, 1]], "w_v": [[1, 0], [0, 1], [1, 1]]}})",
                      {"--heads", "3"})) == "");
}

namespace {

/// A problem whose weights have so many columns, `more` included.
std::string with_columns(int q, int k, int v, const std::string& more = "") {
  const auto matrix = [](int rows, int columns) {
    const std::string size = std::to_string(rows) + ", " + std::to_string(columns);
    return "{\"ones\": [" + size + "]}";
  };
  return "{\"embeddings\": [[1, 2], [3, 4]], \"weights\": {\"w_q\": " + matrix(2, q) +
         ", \"w_k\": " + matrix(2, k) + ", \"w_v\": " + matrix(2, v) + "}" + more + "}";
}

}  // namespace

TEST_CASE("errors: numbers of heads that are advised fit all weights") {
  struct Row {
    std::string problem;
    std::vector<std::string> options;
    const char* headline;
    const char* fix;
  };
  const Row rows[] = {
      {with_columns(12, 12, 6),
       {"--heads", "5"},
       "error[heads-divide]: w_q has 12 columns, which cannot be cut into 5 heads",
       "Use heads = 1, 2, 3, 6."},
      {with_columns(12, 12, 4),
       {"--heads", "3"},
       "error[heads-divide]: w_v has 4 columns, which cannot be cut into 3 heads",
       "Use heads = 1, 2, 4."},
      {with_columns(4, 6, 4),
       {"--heads", "4"},
       "error[heads-divide]: w_k has 6 columns, which cannot be cut into 4 heads",
       "Give w_q and w_k the same number of columns, a multiple of heads, and\n        w_v a "
       "multiple of heads too."},
      {with_columns(8, 4, 4, ", \"kv_heads\": 2"),
       {"--heads", "3"},
       "error[head-count]: heads is 3 and kv_heads is 2: 3 is not a multiple of 2",
       "Use heads = 4."},
      {with_columns(8, 4, 4, ", \"heads\": 4"),
       {"--kv-heads", "3"},
       "error[head-count]: heads is 4 and kv_heads is 3: 4 is not a multiple of 3",
       "Use kv_heads = 2."},
      {with_columns(8, 3, 4),
       {"--heads", "4", "--kv-heads", "2"},
       "error[heads-divide]: w_k has 3 columns, which cannot be cut into 2 kv heads",
       "Give w_q heads × d_k columns, w_k kv_heads × d_k and w_v kv_heads × d_v."},
      {with_columns(8, 4, 4),
       {"--heads", "4"},
       "error[shape-mismatch]: step S = Q·Kᵀ cannot be computed: w_q gives 8/4 = 2",
       "Use kv_heads = 2, or give w_q and w_k the same number of columns."},
  };
  for (const Row& row : rows) {
    CAPTURE(row.headline);
    const std::string text = complaint(row.problem, row.options);
    CHECK(first_difference(row.headline, text.substr(0, std::string(row.headline).size())) == "");
    CHECK_MESSAGE(text.find(row.fix) != text.npos, text);
    CHECK(text.find("  --> " + row.options[0] + " " + row.options[1] + "\n") != text.npos);
    CHECK(text.find("attn help shapes") != text.npos);
  }
}

TEST_CASE("errors: heads of the command line that do not fit the built-in sample") {
  const Ran ran = attn_run({"explain", "--heads", "4", "--kv-heads", "2"});
  CHECK(ran.exit_code == 3);
  CHECK(
      first_difference(R"(error[shape-mismatch]: step S = Q·Kᵀ cannot be computed: w_q gives 4/4 = 1
  column per query head, w_k gives 4/2 = 2 columns per kv head

  --> --heads 4
  --> --kv-heads 2
  --> built-in 01-one-head:16:12   /weights/w_q
   16 |     "w_q": [
      |            ^ w_q has 4 columns
      ...
   24 |     "w_k": [
      |            - w_k has 4 columns

  rule  A dot product needs as many numbers on both sides: d_k.
  fix   Use heads = 2 or kv_heads = 4. Or give w_k 2 columns: kv_heads × d_k.
  more  attn help shapes
)",
                       ran.err) == "");
}

TEST_CASE("errors: a w_o that does not fit is told in terms of w_o and w_v") {
  CHECK(first_difference(
            R"(error[shape-mismatch]: step O = C·W_o cannot be computed: 2 is not 4

      C    ·   w_o
    (1×2)     (4×1)
       ^       ^     columns of C: 2 (d_v)   rows of w_o: 4

  --> <stdin>:4:9   /weights/w_o
    3 |  "w_v": [[1, 0]],
      |         - w_v has 2 columns, so C has 2 (d_v)
    4 |  "w_o": [[1], [2], [3], [4]]}}
      |         ^ w_o has 4 rows; it needs 2

  rule  In A·B, A must have as many columns as B has rows.
  fix   Give w_o 2 rows, or w_v 4 columns.
  more  attn help shapes
)",
            complaint(R"({"embeddings": [[1]], "weights":
{"w_q": [[1, 0]], "w_k": [[1, 0]],
 "w_v": [[1, 0]],
 "w_o": [[1], [2], [3], [4]]}})")) == "");
}

TEST_CASE("errors: counts agree with their nouns") {
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
    const std::string text = complaint(row.problem);
    CHECK_MESSAGE(text.find(row.says) != text.npos, text);
  }
  CHECK(attn_run({"explain", "--precision", "1"}).out.find("Shown to 1 decimal, ") !=
        std::string::npos);
}

TEST_CASE("errors: what a problem gets wrong has its own id and sentence") {
  struct Row {
    std::string more;      // added to the small problem
    const char* headline;  // how the error begins
    const char* fix;       // and what it advises
  };
  const Row rows[] = {
      {R"("tokens": ["the", "cat", "sat"])",
       "error[token-count]: there are 3 tokens (the, cat, sat), but X has 2 rows",
       "Name 2 tokens, or leave out \"tokens\"."},
      {R"("memory": {"embeddings": [[1, 2]]})",
       "error[shape-mismatch]: step K = memory·W_k cannot be computed: 2 is not 3",
       "Give w_k and w_v 2 rows, or memory rows of 3 numbers."},
      {R"("memory": {"embeddings": [[1, 2, "Infinity"]]})",
       "error[not-finite]: memory/embeddings holds an infinite number",
       "Put a number there; to hide a key, use a mask or a bias of \"-Infinity\"."},
      {R"("mask": "keys:2")",
       "error[mask-range]: the mask \"keys:2\" names key 2, but the keys are 0 to 1",
       "Name indices from 0 to 1, or a token."},
      {R"("mask": "keys:dog")",
       "error[mask-token]: the mask \"keys:dog\" names \"dog\", but no key is called that",
       "Name an index, a range such as 2-4, or one of these tokens: t0, t1."},
      {R"("mask": "queries:4")",
       "error[mask-range]: the mask \"queries:4\" names query 4, but the queries are 0 to",
       "Name indices from 0 to 1, or a token."},
      {R"("mask": "documents:1,2")",
       "error[mask-documents]: the lengths of \"documents:1,2\" add up to 3, but there are",
       "Give lengths that add up to 2."},
      {R"("mask": "casual")",
       "error[mask-unknown]: there is no mask \"casual\"; did you mean \"causal\"?",
       "Write one of none, causal, window:LEFT[,RIGHT], prefix:N,"},
      {R"("mask": "window")", "error[mask-arguments]: the mask \"window\" does not have the form",
       "Write window:LEFT[,RIGHT], for example window:2."},
      {R"("mask": "keys:0-1", "empty_row": "error")",
       "error[empty-row]: query 0 \"t0\" sees no key, and empty_row is \"error\"",
       "Let the masks leave a key to this query, or choose --empty-row zero."},
      {R"("allowed": [[1, 0, 1]])",
       "error[shape-mismatch]: allowed is 1×3, which does not fit the scores, 2×2",
       "Give allowed 2 rows of 2 numbers (query × key)."},
      {R"("bias": [[1, 0], [0, "NaN"]])", "error[not-finite]: bias holds NaN",
       "Put a number there"},
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
      {R"("heads": 2, "kv_heads": 3)",
       "error[head-count]: heads is 2 and kv_heads is 3: 2 is not a multiple of 3",
       "Use kv_heads = 2."},
      {R"("kv_heads": 1)", "error[head-count]: kv_heads is given, but heads is not",
       "Add \"heads\", a multiple of kv_heads."},
      {R"("past": {"k": [[1, 2, 3]], "v": [[1, 2]]})",
       "error[shape-mismatch]: past/k should be P×2 (P cached rows), but it is 1×3",
       "Give one matrix of cached rows per head."},
      {R"("past": {"k": [[1, 2]], "v": [[1, 2], [3, 4]]})",
       "error[shape-mismatch]: past has 1 key, but 2 values",
       "Give past.k and past.v the same number of rows."},
      {R"("q": [[1]], "k": [[1]], "v": [[1]])",
       "error[two-inputs]: the problem gives both Q K V and embeddings",
       "Keep either q, k, v, or embeddings and weights."},
  };
  for (const Row& row : rows) {
    CAPTURE(row.more);
    const std::string text = complaint(small(row.more));
    CHECK(first_difference(row.headline, text.substr(0, std::string(row.headline).size())) == "");
    CHECK_MESSAGE(text.find(row.fix) != text.npos, text);
  }
}

TEST_CASE("errors: problems without a way to compute Q, K and V say what is missing") {
  struct Row {
    std::string problem;
    const char* headline;
  };
  const Row rows[] = {
      {"{}", "error[missing-key]: the problem has no input: neither embeddings nor q, k, v"},
      {R"({"embeddings": [[1]]})",
       "error[missing-key]: weights has no w_q, w_k, w_v, so q, k, v ca"},
      {R"({"q": [[1]], "k": [[1]]})",
       "error[missing-key]: Q K V are given directly, but v is missing"},
      {R"({"q": [[1]], "k": [[1, 2]], "v": [[1]]})",
       "error[shape-mismatch]: step S = Q·Kᵀ cannot be computed: q has 1 column, k has 2"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1], [2]]})",
       "error[shape-mismatch]: there is 1 key, but 2 values"},
      {R"({"q": [[1]], "k": [[[1]]], "v": [[1]]})", "error[rank]: k has rank 3, but q has rank 2"},
      {R"({"q": [[[1]], [[2]]], "k": [[[1]]], "v": [[[1]]]})",
       "error[batch-mismatch]: q has 2 batch entries, k has 1"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "weights": {"b_o": [1]}})",
       "error[missing-key]: b_o is given, but w_o is not"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "weights": {"w_q": [[1]]}})",
       "error[two-inputs]: w_q is given, but so are Q K V themselves"},
      {R"({"q": [[1]], "k": [[1]], "v": [[1]], "weights": {"w_o": [[1], [2]]}})",
       "error[shape-mismatch]: step O = C·W_o cannot be computed: 1 is not 2"},
      {R"({"q": [[[[1]]]], "k": [[[[1]]]], "v": [[[[1]]]], "heads": 2})",
       "error[head-count]: heads is 2, but q is given for 1 head"},
      {R"({"embedding_table": {"a": [1], "b": [1, 2]}, "tokens": ["a"]})",
       "error[shape-mismatch]: embedding_table: \"b\" has 2 numbers, \"a\" has 1"},
      {R"({"embedding_table": {"a": [1]}})",
       "error[missing-tokens]: an embedding_table needs tokens to look up"},
      {R"({"embedding_table": {"the": [1], "cat": [2]}, "tokens": ["teh"]})",
       "error[unknown-token]: the token \"teh\" is not in embedding_table; did you mean"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.problem);
    const std::string text = complaint(row.problem);
    CHECK(first_difference(row.headline, text.substr(0, std::string(row.headline).size())) == "");
  }
}

TEST_CASE("errors: a wrong command line is told with a suggestion and exit code 2") {
  struct Row {
    std::vector<std::string> args;
    std::string text;
  };
  const Row rows[] = {
      {{"explian"},
       "error[unknown-command]: there is no command \"explian\"; did you mean \"explain\"?"},
      {{"expl"}, "error[unknown-command]: there is no command \"expl\""},
      {{"explain", "--msk", "causal"},
       "error[unknown-option]: attn explain has no option \"--msk\"; did you mean"},
      {{"explain", "--mas", "causal"},
       "error[unknown-option]: attn explain has no option \"--mas\""},
      {{"explain", "--mask"}, "error[missing-value]: --mask needs a value: --mask SPEC"},
      {{"explain", "--mask", "casual"},
       "error[mask-unknown]: there is no mask \"casual\"; did you mean \"causal\"?"},
      {{"explain", "a.json", "b.json"},
       "error[extra-argument]: attn explain does not know what to do with"},
      {{"explain", "--format", "xml"}, "error[option-value]: --format cannot be \"xml\""},
      {{"explain", "--detail", "ful"},
       "error[option-value]: --detail cannot be \"ful\"; did you mean \"full\"?"},
      {{"explain", "--scale", "big"}, "error[unknown-value]"},
      {{"explain", "--softcap", "0"},
       "error[option-value]: --softcap takes a number above 0, not \"0\""},
      {{"explain", "--fill", "abc"}, "error[option-value]: --fill takes a number, not \"abc\""},
      {{"explain", "--heads", "1.5"},
       "error[option-value]: --heads takes a whole number from 1 to"},
      {{"explain", "--head", "3"},
       "error[out-of-range]: there is no head 3: this problem has 1 head"},
      {{"explain", "--query", "dog"}, "error[no-such-query]: there is no query \"dog\""},
      {{"explain", "--steps", "weigths"},
       "error[no-such-step]: there is no step \"weigths\"; did you mean \"weights\"?"},
      {{"explain", "--steps", "mask"}, "error[no-such-step]: this problem has no step \"mask\""},
      {{"explain", "--cell", "weights:0"},
       "error[no-such-cell]: \"weights:0\" does not name a cell"},
      {{"explain", "--cell", "wieghts:0,0"},
       "error[no-such-cell]: \"wieghts:0,0\" does not name a cell"},
      {{"explain", "--cell", "weights:0,9"}, "error[no-such-column]: there is no column \"9\""},
      {{"explain", "--text", ""}, "error[option-value]: --text needs at least one word"},
      {{"explain", "--text", "  "}, "error[option-value]: --text needs at least one word"},
      {{"explain", ""}, "error[empty-path]: attn explain got an empty file name"},
      {{"explain", "-o", ""}, "error[empty-path]: -o got an empty file name"},
      {{"new", "--list", "-o", ""}, "error[empty-path]: -o got an empty file name"},
      {{"explain", "--", "a.json", "b.json"},
       "error[extra-argument]: attn explain does not know what to do with"},
      {{"new", "--list", "--", "a.json"},
       "error[extra-argument]: attn new does not know what to do with \"a.json\""},
      {{"explain", "--steps", "W_q"}, "error[no-such-step]: there is no step \"W_q\""},
      {{"new"}, "error[missing-option]: attn new needs --list, --sample NAME or --random"},
      {{"new", "--sample", "casual"},
       "error[unknown-sample]: there is no sample \"casual\"; did you mean \"causal\"?"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const std::string text = usage(row.args);
    CHECK(first_difference(row.text, text.substr(0, row.text.size())) == "");
    CHECK(text.find("fix   ") != text.npos);
  }
}

TEST_CASE("errors: no text names a library or shows an exception of one") {
  for (const char* problem :
       {"", "{", "[1,]", "nul", "{\"heads\": 1e999}", "\"\\ud800\"", "{\"a\" 1}"}) {
    const std::string text = complaint(problem);
    for (const char* word : {"nlohmann", "json.exception", "CLI", "std::"})
      CHECK(text.find(word) == text.npos);
  }
}

TEST_CASE("errors: a token cannot send escape sequences to the terminal") {
  const std::string text = complaint(R"({"embedding_table": {"a": [1]}, "tokens": ["\u001b[2J"]})");
  CHECK(text.find('\x1b') == text.npos);
  CHECK(text.find("\\e[2J") != text.npos);
}
