// The text of every error of syntax, as somebody who wrote the file sees it.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/error_rows.hpp"

namespace attn::testing {

TEST_CASE("json: a missing comma, colon or value is named where the next token stands") {
  check_rows({
      {"{\"X\": [[1, 0],\n  [0, 1 0.5, 0]]}", "expected \",\" or \"]\" after 1, found 0.5", 2, 9,
       "/X/1", "Write a comma between 1 and 0.5."},
      {"[[1]\n[2]]", "expected \",\" or \"]\" after \"]\", found \"[\"", 2, 1, "",
       "Write a comma between \"]\" and \"[\"."},
      {"{\"a\": \"x\"\n\"b\": 2}", "expected \",\" or \"}\" after \"x\", found \"b\"", 2, 1, "",
       "Write a comma between \"x\" and \"b\"."},
      {"{\"a\" 1}", "expected \":\" after the key \"a\", found 1", 1, 6, "/a",
       "Write a colon between the key and its value."},
      {"{\"a\" = 1}", "expected \":\" after the key \"a\", found \"=\"", 1, 6, "/a",
       "Write a colon between the key and its value."},
      {"{\"a\": }", "expected a value after the colon, found \"}\"", 1, 7, "/a",
       "Write a value after the colon."},
      {"{\"a\": , \"b\": 1}", "expected a value after the colon, found \",\"", 1, 7, "/a",
       "Write a value after the colon."},
  });
}

TEST_CASE("json: a comma too many is named where it stands") {
  check_rows({
      {"{\"a\": [1, 2],\n}", "expected another item after the comma, found \"}\"", 1, 13, "",
       "Remove the comma."},
      {"[[1, 2,]]", "expected another item after the comma, found \"]\"", 1, 7, "/0",
       "Remove the comma."},
      {"[1, , 2]", "expected an item between two commas, found nothing", 1, 5, "",
       "Remove one of the commas."},
      {"[, 2]", "expected a value or \"]\", found \",\"", 1, 2, "",
       "Remove it, or add what is missing before it."},
      {"{, \"a\": 2}", "expected a key in quotation marks, found \",\"", 1, 2, "",
       "Remove it, or add what is missing before it."},
  });
}

TEST_CASE("json: a bracket that is not closed is named together with where it was opened") {
  const char* cut = "Add the closing \"]\", or fetch the file again if it is cut off.";
  const char* key_in_list = "expected \"]\" before the key \"heads\", found the list still open";
  struct Pair {
    SyntaxRow row;
    int bracket_column;  // in line 1
  };
  const Pair pairs[] = {
      {{"[[1, 2], [3, 4", "expected \",\" or \"]\" after 4, found the end of the file", 1, 15, "/1",
        cut},
       10},
      {{"{\"q\": [\n[1, 2],\n\n", "expected a value, found the end of the file", 2, 8, "/q", cut},
       7},
      {{"{\"q\": [\n", "expected a value or \"]\", found the end of the file", 1, 8, "/q", cut}, 7},
      {{"{\"q\":", "expected a value, found the end of the file", 1, 6, "/q",
        "Add the closing \"}\", or fetch the file again if it is cut off."},
       1},
      {{"{\"q\": [1, 2}", "expected \"]\", found \"}\"", 1, 12, "/q", "Write \"]\" first."}, 7},
      {{"{\"q\": {\"a\": 1]", "expected \"}\", found \"]\"", 1, 14, "/q", "Write \"}\" first."}, 7},
      {{"{\"q\": [1\n\"heads\": 2}", key_in_list, 2, 1, "/q", "Add \"]\" before the key."}, 7},
      {{"{\"q\": [1,\n\"heads\": 2}", key_in_list, 2, 1, "/q", "Add \"]\" before the key."}, 7},
  };
  for (const Pair& pair : pairs) {
    const Diagnostic found = check_row(pair.row, "json-syntax");
    REQUIRE(found.places.size() == 2);
    CHECK(found.places[1].remark == "this bracket is still open");
    CHECK(found.places[1].line == 1);
    CHECK(found.places[1].column == pair.bracket_column);
  }
}

TEST_CASE("json: a list that was to be an object is told by its first key") {
  check_rows({
      {"{\"weights\":\n [ \"w_q\": [[1]]]}", "expected \"{\" before the key \"w_q\", found \"[\"",
       2, 2, "/weights", "Write { instead of [ at line 2, and } where it ends."},
      {"[\"heads\": 2]", "expected \"{\" before the key \"heads\", found \"[\"", 1, 1, "",
       "Write { instead of [ at line 1, and } where it ends."},
  });
}

TEST_CASE("json: an odd quotation mark is looked for where the text should have ended") {
  check_rows({
      {"{\"tokens\": [\"the, \"cat\"]}", "a quotation mark seems to be missing after \"the", 1, 17,
       "/tokens", "Close the text where it ends: \"the\"."},
      {"[\"the\", \"black cat,\"sat\"]", "a quotation mark seems to be missing after \"black cat",
       1, 19, "", "Close the text where it ends: \"black cat\"."},
      {"{\"title: \"x\"}", "a quotation mark seems to be missing after \"title", 1, 8,
       "/title: ", "Close the text where it ends: \"title\"."},
      {"[\"a\"b]", "expected \",\" or \"]\" after \"a\", found b", 1, 5, "",
       "Write a comma between \"a\" and b."},
  });
}

TEST_CASE("json: brackets and separators of other languages are translated") {
  const char* list = "Write lists with [ ] and commas, such as [0, 1].";
  check_rows({
      {"{\"q\": [(0, 1)]}", "expected a value or \"]\", found \"(\"", 1, 8, "/q", list},
      {"{\"q\": (0, 1)}", "expected a value, found \"(\"", 1, 7, "/q", list},
      {"[0, 1)", "expected \",\" or \"]\" after 1, found \")\"", 1, 6, "", list},
      {"[0; 1]", "expected \",\" or \"]\" after 0, found \";\"", 1, 3, "", list},
      {"{\"heads\": 1; \"scale\": 1}", "expected \",\" or \"}\" after 1, found \";\"", 1, 12, "",
       "Write a comma between the keys of an object."},
  });
}

TEST_CASE("json: a file that is no JSON at all is told what a problem looks like") {
  const char* fix =
      "This is not JSON: a problem begins with { and ends with }. attn new --sample 01-one-head "
      "writes one to start from.";
  check_rows({
      {"hello", "expected a JSON object, found hello", 1, 1, "", fix},
      {"01", "expected a JSON object, found 01", 1, 1, "", fix},
      {"nan", "expected a JSON object, found nan", 1, 1, "", fix},
      {"<p>", "expected a JSON object, found \"<\"", 1, 1, "", fix},
      {"(0, 1)", "expected a JSON object, found \"(\"", 1, 1, "", fix},
  });
}

TEST_CASE("json: text after the end is named") {
  const char* fix = "Remove what follows, or look for a bracket that is closed too early.";
  check_rows({
      {"{\"a\": 1}}", "expected the end of the file, found \"}\"", 1, 9, "", fix},
      {"{}\n{}", "expected the end of the file, found \"{\"", 2, 1, "", fix},
      {"\"a\" \"b\"", "expected the end of the file, found \"b\"", 1, 5, "", fix},
      {"[1],", "expected the end of the file, found \",\"", 1, 4, "",
       "Remove it, or add what is missing before it."},
      {"[1] // end", "expected the end of the file, found a comment", 1, 5, "",
       "Remove it, or make it a key that begins with _: \"_comment\": \"...\"."},
  });
}

TEST_CASE("json: an empty file is its own error") {
  const char* what = "expected a JSON text, found an empty file";
  const char* fix =
      "Check that the file was saved, and that the program that wrote it did not fail.";
  check_rows({{"", what, 1, 1, "", fix},
              {" \r\n\t\n", what, 1, 1, "", fix},
              {"\xEF\xBB\xBF", what, 1, 1, "", fix}},
             "json-empty");
}

TEST_CASE("json: every key given twice is named with both places") {
  const std::vector<Diagnostic> found =
      syntax_errors("{\"a\": 1,\n \"b/c\": {\"x\": 1, \"x\": 2},\n  \"a\": 3}");
  REQUIRE(found.size() == 2);
  CHECK(found[0].id == "json-duplicate-key");
  CHECK(found[0].what == "expected every key once, found the key \"x\" twice");
  CHECK(found[0].places[0].pointer == "/b~1c/x");
  CHECK(found[0].places[0].column == 18);
  CHECK(found[1].what == "expected every key once, found the key \"a\" twice");
  CHECK(found[1].fix ==
        "Keep one of the two, or begin the other's name with \"_\" to make it a comment.");
  REQUIRE(found[1].places.size() == 2);
  CHECK(found[1].places[0].remark == "the second time");
  CHECK(found[1].places[0].line == 3);
  CHECK(found[1].places[0].column == 3);
  CHECK(found[1].places[1].remark == "the first time");
  CHECK(found[1].places[1].line == 1);
  CHECK(found[1].places[1].column == 2);
}

TEST_CASE("json: columns count characters, whatever their width and the length of the line") {
  check_row(
      {"[\"猫é🙂\", NaN]", "expected a number, found NaN", 1, 9, "",
       "Write \"NaN\", in quotation marks. In Python, json.dumps(..., allow_nan=False) finds such "
       "numbers."},
      "json-nan");
  const std::string line = "[\"" + std::string(10000, 'x') + "\" 1]";
  const Diagnostic found = check_row(
      {"[\r\n" + line + "\r\n]",
       ("expected \",\" or \"]\" after \"" + std::string(39, 'x') + "…\", found 1").c_str(), 2,
       10005, "/0", ("Write a comma between \"" + std::string(39, 'x') + "…\" and 1.").c_str()},
      "json-syntax");
  CHECK(found.places[0].line_text == line);
  CHECK(found.places[0].remark == "a comma is missing before this");
}

TEST_CASE("json: a text that is cut anywhere is an error with a place in it") {
  const std::string text =
      "{\"a\": [[1, -2.5e3], [\"-inf\", 0]],\n \"b\\\"\": {\"c\": true, \"d\": null}, \"é\": "
      "\"\\u00e9\"}";
  CHECK(syntax_errors(text).empty());
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    const std::vector<Diagnostic> found = syntax_errors(text.substr(0, size));
    REQUIRE(found.size() == 1);
    CHECK_FALSE(found[0].what.empty());
    CHECK_FALSE(found[0].fix.empty());
    CHECK(found[0].places.at(0).line >= 1);
    CHECK(found[0].places.at(0).line <= 2);
  }
}

TEST_CASE("json: no byte in any place makes the reader fail otherwise than with an Error") {
  const std::string text = "{\"a\": [1, \"x\", [-2e3]], \"b\": true}";
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = text;
      changed[at] = static_cast<char>(byte);
      for (const Diagnostic& found : syntax_errors(changed)) {
        CHECK_FALSE(found.what.empty());
        CHECK(found.places.at(0).line >= 1);
      }
    }
  }
}

}  // namespace attn::testing
