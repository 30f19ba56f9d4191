// Sizes and numbers of heads that do not fit, pinned by their messages.
#include <doctest/doctest.h>

#include <algorithm>

#include "io/error_rows.hpp"
#include "support/program.hpp"

namespace attn::testing {
TEST_CASE("shape errors: a product that does not fit names the step, both shapes and both places") {
  CHECK(first_difference(
            R"(error[shape-mismatch]: step Q = X·W_q cannot be computed: X has 2 columns, w_q
  has 3 rows

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
)",
            report_on(R"({"embeddings": [[1, 0],
 [0, 1]], "weights": {
   "w_q": [[1, 0], [0, 1], [1, 1]],
   "w_k": [[1, 0], [0, 1], [1, 1]],
   "w_v": [[1, 0], [0, 1], [1, 1]]}})")) == "");
}

TEST_CASE("shape errors: if heads do not divide the columns, the numbers that would are named") {
  CHECK(first_difference(
            R"(error[heads-divide]: w_q has 2 columns, which cannot be cut into 3 heads of the
  same width

  --> <stdin>:1:49   /heads
    1 | {"embeddings": [[1, 0, 2], [0, 1, 1]], "heads": 3, "weights":
      |                                                 ^
    2 | {"w_q": [[1, 0], [0, 1], [1, 1]], "w_k": [[1, 0], [0, 1], [1, 1]], "w_…
      |         - weights.w_q

  rule  Every head gets the same number of columns: columns = heads × d.
  fix   Set heads to 1 or 2.
)",
            report_on(R"({"embeddings": [[1, 0, 2], [0, 1, 1]], "heads": 3, "weights":
{"w_q": [[1, 0], [0, 1], [1, 1]], "w_k": [[1, 0], [0, 1], [1, 1]], "w_v": [[1, 0], [0, 1], [1, 1]]}})")) ==
        "");
}

namespace {

/// A problem whose weights have that many columns, with `more` added.
std::string with_columns(int q, int k, int v, const std::string& more = "") {
  const auto matrix = [](int rows, int columns) {
    const std::string size = std::to_string(rows) + ", " + std::to_string(columns);
    return "{\"ones\": [" + size + "]}";
  };
  return "{\"embeddings\": [[1, 2], [3, 4]], \"weights\": {\"w_q\": " + matrix(2, q) +
         ", \"w_k\": " + matrix(2, k) + ", \"w_v\": " + matrix(2, v) + "}" + more + "}";
}

}  // namespace

TEST_CASE("shape errors: the numbers of heads that a fix suggests suit all the weights") {
  struct Row {
    std::string problem;
    const char* headline;
    const char* fix;
  };
  const Row rows[] = {
      {with_columns(12, 12, 6, ", \"heads\": 5"),
       "error[heads-divide]: w_q has 12 columns, which cannot be cut into 5 heads",
       "Set heads to 1, 2, 3 or 6."},
      {with_columns(12, 12, 4, ", \"heads\": 3"),
       "error[heads-divide]: w_v has 4 columns, which cannot be cut into 3 heads",
       "Set heads to 1, 2 or 4."},
      {with_columns(4, 6, 4, ", \"heads\": 4"),
       "error[heads-divide]: w_k has 6 columns, which cannot be cut into 4 heads",
       "Give w_q and w_k the same number of columns, a multiple of heads, and\n        w_v a "
       "multiple of heads too."},
      {with_columns(8, 4, 4, ", \"heads\": 3, \"kv_heads\": 2"),
       "error[head-count]: heads is 3 and kv_heads is 2", "Set heads to 4."},
      {with_columns(8, 4, 4, ", \"heads\": 4, \"kv_heads\": 3"),
       "error[head-count]: heads is 4 and kv_heads is 3", "Set kv_heads to 2."},
      {with_columns(8, 3, 4, ", \"heads\": 4, \"kv_heads\": 2"),
       "error[heads-divide]: w_k has 3 columns, which cannot be cut into 2 kv heads",
       "Give w_q heads × d_k columns, w_k kv_heads × d_k and w_v kv_heads × d_v."},
      {with_columns(8, 4, 4, ", \"heads\": 4"),
       "error[shape-mismatch]: step S = Q·Kᵀ cannot be computed: w_q gives 8/4 = 2",
       "Set kv_heads to 2, or give w_q and w_k the same number of columns."},
  };
  for (const Row& row : rows) {
    CAPTURE(row.headline);
    const std::string text = report_on(row.problem);
    CHECK(first_difference(row.headline, text.substr(0, std::string(row.headline).size())) == "");
    CHECK_MESSAGE(text.find(row.fix) != text.npos, text);
  }
}

TEST_CASE("shape errors: a w_o that does not fit is explained in terms of w_o and w_v") {
  CHECK(first_difference(
            R"(error[shape-mismatch]: step O = C·W_o cannot be computed: C has 2 columns, w_o
  has 4 rows

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
)",
            report_on(R"({"embeddings": [[1]], "weights":
{"w_q": [[1, 0]], "w_k": [[1, 0]],
 "w_v": [[1, 0]],
 "w_o": [[1], [2], [3], [4]]}})")) == "");
}

namespace {

/// Weights of 3 × 2 for X of 2 × 3, with more of them.
std::string problem_with_weights(const std::string& more_weights, const std::string& more = "") {
  const std::string w = "[[1, 0], [0, 1], [1, 1]]";
  return "{\"embeddings\": [[1, 0, 2], [0, 1, 1]],\n\"weights\": {\"w_q\": " + w +
         ",\n\"w_k\": " + w + ",\n\"w_v\": " + w + more_weights + "}" + more + "}";
}

}  // namespace

TEST_CASE(
    "shape errors: every pair of operands that can clash is reported with sizes, places and "
    "names") {
  struct Row {
    std::string text;
    std::vector<const char*> says;
  };
  const Row rows[] = {
      {R"({"embeddings": [[1, 0]], "weights": {"w_q": [[1], [1]], "w_k": [[1]], "w_v": [[1], [1]]}})",
       {"step K = X·W_k cannot be computed: X has 2 columns, w_k",
        "columns of X: 2 (d_model)   rows of w_k: 1"}},
      {R"({"embeddings": [[1, 0]], "weights": {"w_q": [[1], [1]], "w_k": [[1], [1]], "w_v": [[1]]}})",
       {"step V = X·W_v cannot be computed: X has 2 columns, w_v",
        "columns of X: 2 (d_model)   rows of w_v: 1"}},
      {problem_with_weights("", ", \"memory\": {\"embeddings\": [[1, 2]]}"),
       {"step K = memory·W_k cannot be computed: memory has 2",
        "    memory  ·   w_k\n    (1×2)      (3×2)\n       ^        ^",
        "memory has rows of 2 numbers (d_model)",
        "Give w_k and w_v 2 rows, or memory rows of 3 numbers."}},
      {problem_with_weights(", \"b_q\": [1]"),
       {"b_q has 1 number, but w_q has 2 columns", "- w_q has 2 columns (h·d_k)", "/weights/b_q"}},
      {problem_with_weights(", \"b_k\": [1]"),
       {"b_k has 1 number, but w_k has 2 columns", "- w_k has 2 columns (h·d_k)"}},
      {problem_with_weights(", \"b_v\": [1]"),
       {"b_v has 1 number, but w_v has 2 columns", "- w_v has 2 columns (h·d_v)"}},
      {problem_with_weights(", \"w_o\": [[1], [2]], \"b_o\": [1, 2]"),
       {"b_o has 2 numbers, but w_o has 1 column", "- w_o has 1 column (d_out)"}},
      {problem_with_weights(", \"w_o\": [[[1], [2]], [[1], [2]]]"),
       {"w_o is given for 2 heads of 2 rows", "head of d_v = 2"}},
      {R"({"q": [[1]], "k": [[1, 2]], "v": [[1]]})",
       {"step S = Q·Kᵀ cannot be computed: q has 1 column, k has 2",
        "      Q    ·   Kᵀ\n    (1×1)     (2×1)\n       ^       ^",
        "columns of Q: 1 (d_k)   rows of Kᵀ: 2", "^ q has 1 column", "- k has 2 columns"}},
      {R"({"q": [[1]], "k": [[1]], "v": [[1], [2]]})",
       {"there is 1 key, but 2 values", "^ 2 values", "- 1 key"}},
      {problem_with_weights("", ",\n\"past\": {\"k\": [[1, 2, 3]], \"v\": [[1, 2]]}"),
       {"past.k should be P×2 (P cached rows), but it is 1×3", "- rows of 2 numbers (d_k)",
        "/past/k", "Give one matrix of cached rows."}},
      {problem_with_weights("", ",\n\"past\": {\"k\": [[1, 2]], \"v\": [[1]]}"),
       {"past.v should be P×2 (P cached rows), but it is 1×1", "- rows of 2 numbers (d_v)"}},
      {problem_with_weights("", ",\n\"past\": {\"k\": [[1, 2]], \"v\": [[1, 2], [3, 4]]}"),
       {"past has 1 key, but 2 values", "^ 2 values", "- 1 key",
        "Give past.k and past.v the same number of rows."}},
      {problem_with_weights("", ", \"allowed\": [[1, 0, 1]]"),
       {"allowed is 1×3", "- 2 keys (T_k)", "Give allowed 2 rows of 2 numbers (query × key)."}},
      {problem_with_weights("", ", \"bias\": [[1, 0], [0, 1], [1, 1]]"),
       {"bias is 3×2", "- 2 queries (T_q)"}},
      {R"({"embedding_table": {"a": [1], "b": [1, 2]}, "tokens": ["a"]})",
       {"embedding_table: \"b\" has 2 numbers, \"a\" has 1", "^ 2 numbers",
        "- 1 number (d_model)"}},
  };
  for (const Row& row : rows) {
    const std::string text = report_on(row.text);
    CAPTURE(text);
    CHECK(text.find(" --> <stdin>:") != text.npos);
    for (const char* part : row.says) {
      CAPTURE(part);
      CHECK(text.find(part) != text.npos);
    }
    CHECK(std::count(text.begin(), text.end(), '\n') <= 18);
  }
}

}  // namespace attn::testing
