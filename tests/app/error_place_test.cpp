// Where an error is: line, column and caret; and several errors in one report.
#include <doctest/doctest.h>

#include <algorithm>

#include "attn/render/text.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using namespace attn::testing;

namespace {

/// What is above the first caret of the report, in cells of a terminal.
std::string above_caret(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::size_t at = lines[i].find('^');
    if (at == std::string::npos) continue;
    const std::ptrdiff_t cells = attn::display_width(lines[i].substr(0, at));
    std::string_view rest = lines[i - 1];
    while (!rest.empty()) {
      const std::size_t before = lines[i - 1].size() - rest.size();
      if (attn::display_width(lines[i - 1].substr(0, before)) >= cells) break;
      rest.remove_prefix(1);
    }
    return std::string(rest);
  }
  return "";
}

}  // namespace

TEST_CASE(
    "places: the caret is right in the first line, the last, after wide text, in a long line") {
  const std::string q = R"("q": [[1]], "k": [[1]], "v": [[1]])";
  const std::string long_title(10000, 'x');
  struct Row {
    std::string text;
    const char* place;
    const char* marked;
  };
  const Row rows[] = {
      {"{\"qq\": 1,\n" + q + "}", "<stdin>:1:2   /qq", "\"qq\": 1,"},
      {"{" + q + ",\n\"heads\": 0}", "<stdin>:2:10   /heads", "0}"},
      {"{" + q + ",\n\"heads\": two", "<stdin>:2:10   /heads", "two"},
      {"{\"title\": \"猫と犬 e\u0301 🙂\", \"heads\": 0, " + q + "}", "<stdin>:1:32   /heads",
       "0, \"q\""},
      {"{\"title\": \"" + long_title + "\", \"heads\": 0, " + q + "}", "<stdin>:1:10024   /heads",
       "0, \"q\""},
  };
  for (const Row& row : rows) {
    const std::string text = complaint(row.text);
    CAPTURE(text);
    CHECK(has(text, std::string("  --> ") + row.place + "\n"));
    CHECK(above_caret(text).starts_with(row.marked));
    for (const std::string& line : lines_of(text)) CHECK(attn::display_width(line) <= 80);
  }
}

TEST_CASE("places: both lines of a key that is given twice, and an unknown key") {
  const std::string twice = complaint("{\"heads\": 1,\n\"mask\": \"causal\",\n\"heads\": 2}");
  CHECK(has(twice, "  --> <stdin>:3:1   /heads\n"));
  CHECK(has(twice, "    1 | {\"heads\": 1,\n      |  - the first time\n"));
  CHECK(has(twice, "    3 | \"heads\": 2}\n      | ^ the second time\n"));
  CHECK(has(complaint("{\"W_q\": [[1]]}"), "\"w_q\" belongs in\n  \"weights\""));
  const std::string weight = complaint("{\"embeddings\": [[1]], \"weights\": {\"w_qq\": [[1]]}}");
  CHECK(has(weight, "  --> <stdin>:1:35   /weights/w_qq\n"));
  CHECK(above_caret(weight).starts_with("\"w_qq\""));
  const std::string comments = R"("_note": 1, "$schema": "x", )";
  CHECK(attn_run({"explain", "-"}, "{" + comments + R"("q": [[1]], "k": [[1]], "v": [[1]]})")
            .exit_code == 0);
}

TEST_CASE("places: rows of two lengths show both, and a wrong number names the token of its row") {
  const std::string ragged = complaint("{\"q\": [[1, 2],\n[3, 4],\n[5]]}");
  CHECK(has(ragged, "row 2 of q has 1 number, row 0 has 2\n"));
  CHECK(has(ragged, "- 2 numbers\n"));
  CHECK(has(ragged, "    3 | [5]]}\n      | ^ 1 number\n"));
  const std::string weights = R"("weights": {"w_q": [[1]], "w_k": [[1]], "w_v": [[1]]}})";
  CHECK(has(complaint(R"({"tokens": ["the", "cat"], "embeddings": [[1], ["NaN"]], )" + weights),
            "embeddings has NaN in row 1 \"cat\": attention needs finite"));
  CHECK(has(
      complaint(R"({"tokens": [["a"], ["b"]], "embeddings": [[[1]], [["Infinity"]]], )" + weights),
      "embeddings has an infinite number in row 0 \"b\": attention"));
  CHECK(has(complaint(R"({"embeddings": [[1], ["NaN"]], )" + weights),
            "embeddings has NaN in row 1: attention"));
  CHECK(has(complaint(R"({"tokens": ["the"], "embeddings": [[1]], "mask": "keys:0", )"
                      R"("empty_row": "error", )" +
                      weights),
            "error[empty-row]: query 0 \"the\" sees no key"));
  CHECK(has(complaint(R"({"q": [[]], "k": [[]], "v": [[]]})"), "error[wrong-type]"));
}

TEST_CASE(
    "several errors: three unknown keys, rows of two lengths and a wrong mask in one report") {
  const std::string text = complaint(R"({"tokenz": ["a"],
 "Embeddings": 3,
 "foo_bar": 1,
 "q": [[1, 0], [1]],
 "mask": "casual",
 "heads": "two"})");
  CAPTURE(text);
  const std::vector<std::string> lines = lines_of(text);
  CHECK(has(text, "  --> <stdin>:1:2\n    1 | {\"tokenz\": [\"a\"],\n      |  ^\n    2 |  \"Emb"));
  CHECK(has(text, "\n\nerror[ragged-rows]: row 1 of q has 1 number"));
  CHECK(has(text, "\n\nerror[mask-unknown]: " + no_such("mask", "casual")));
  CHECK(std::count_if(lines.begin(), lines.end(),
                      [](const std::string& line) { return line.starts_with("error["); }) == 5);
  CHECK(has(text,
            "\nand 1 more\n" + std::string(kBeginWith) + std::string(kCorrectIt).substr(0, 20)));
}

TEST_CASE("several errors: sizes, tokens and settings that do not depend on each other") {
  const std::string text =
      complaint(R"({"tokens": ["a"], "softcap": -1, "embeddings": [[1, 0], [1, 1]],
 "weights": {"w_q": [[1]], "w_k": [[1], [2], [3]], "w_v": [[1]], "b_v": [1, 2]}})");
  CAPTURE(text);
  for (const char* part :
       {"step Q = X·W_q cannot be computed: X has 2 columns, w_q",
        "Give w_q and w_v 2 rows, or X rows of 1",
        "step K = X·W_k cannot be computed: X has 2 columns, w_k",
        "b_v has 2 numbers, but w_v has 1 column", "there is 1 token (a), but X has 2 rows",
        "softcap should be", kBeginWith}) {
    CAPTURE(part);
    CHECK(has(text, part));
  }
  const std::string masks = complaint(R"({"q": [[1]], "k": [[1]], "v": [[1]], "allowed": [[1, 1]],
 "mask": ["keys:4", "queries:dog"]})");
  CHECK(has(masks, "allowed is 1×2"));
  CHECK(has(masks, "names key 4"));
  CHECK(has(masks, "names \"dog\""));
}

TEST_CASE("places: one after the first, if nothing is said about it, is shown with its name") {
  const char* matrices =
      R"({"heads": 2, "kv_heads": 3, "q": [[1, 0]], "k": [[1, 0]], "v": [[1, 0]]})";
  CHECK(has(complaint(matrices), "- kv_heads\n"));
  CHECK(!has(complaint(matrices, {"--kv-heads", "3"}), "- kv_heads"));
}

TEST_CASE("places: options of the command line, and lines of the built-in sample") {
  const Ran ran = attn_run({"explain", "--heads", "4", "--kv-heads", "2"});
  CHECK(ran.exit_code == 3);
  CHECK(ran.err.starts_with("error[shape-mismatch]: "));
  CHECK(has(ran.err,
            "\n\n  --> --heads 4\n  --> --kv-heads 2\n"
            "  --> built-in 01-one-head:16:12   /weights/w_q\n   16 |     \"w_q\": [\n"
            "      |            ^ "));
  CHECK(has(ran.err, "\n   24 |     \"w_k\": [\n      |            - "));
  CHECK(has(ran.err, "\n  more  attn help shapes\n"));
}
