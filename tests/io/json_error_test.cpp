// The text of every syntax error.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/error_rows.hpp"
#include "support/phrases.hpp"

namespace attn::testing {

TEST_CASE("json: a missing comma, colon or value is named where the next token is") {
  const char* fix = "Remove it, or add what is missing before it.";
  check_rows({
      {"{\"X\": [[1, 0],\n  [0, 1 0.5, 0]]}", "expected \",\" or \"]\" after 1, found 0.5", 2, 9,
       "/X/1", "Write a comma between 1 and 0.5."},
      {"{\"a\": \"x\"\n\"b\": 2}", "expected \",\" or \"}\" after \"x\", found \"b\"", 2, 1, "",
       "Write a comma between \"x\" and \"b\"."},
      {"{\"a\" 1}", "expected \":\" after the key \"a\", found 1", 1, 6, "/a",
       "Write a colon between the key and its value."},
      {"{\"a\" = 1}", "expected \":\" after the key \"a\", found \"=\"", 1, 6, "/a",
       "Write a colon between a key and its value."},
      {"{\"a\": }", "expected a value, found \"}\"", 1, 7, "/a", fix},
      {"[1, , 2]", "expected a value, found \",\"", 1, 5, "", fix},
      {"[, 2]", "expected a value or \"]\", found \",\"", 1, 2, "", fix},
      {"{, \"a\": 2}", "expected a key in quotation marks, found \",\"", 1, 2, "", fix},
  });
}

TEST_CASE("json: a comma too many is named where it is") {
  check_rows({
      {"{\"a\": [1, 2],\n}", "expected another item after the comma, found \"}\"", 1, 13, "",
       "Remove the comma."},
      {"[[1, 2,]]", "expected another item after the comma, found \"]\"", 1, 7, "/0",
       "Remove the comma."},
  });
}

TEST_CASE("json: a bracket that is not closed is named together with where it was opened") {
  const char* cut = "Add the closing \"]\", or fetch the file again if it is cut off.";
  const char* key = "expected \"]\" before a key, found the list still open";
  const char* close = "Close the list with ], or begin an object with { instead.";
  struct Pair {
    SyntaxRow row;
    int bracket_column;  // in line 1
  };
  const Pair pairs[] = {
      {{"[[1, 2], [3, -0.", "expected the rest of -0., found the end of the file", 1, 17, "/1",
        cut},
       10},
      {{"[[1, 2], [3, 4", "expected \",\" or \"]\" after 4, found the end of the file", 1, 15, "/1",
        cut},
       10},
      {{"{\"q\": [\n[1, 2],\n\n", "expected a value, found the end of the file", 2, 8, "/q", cut},
       7},
      {{"{\"q\": [1, 2}", "expected \"]\", found \"}\"", 1, 12, "/q", "Write \"]\" first."}, 7},
      {{"{\"q\": {\"a\": 1]", "expected \"}\", found \"]\"", 1, 14, "/q", "Write \"}\" first."}, 7},
      {{"{\"q\": [1\n\"heads\": 2}", key, 2, 1, "/q", close}, 7},
      {{"{\"q\": [\"w_q\": [[1]]]}", key, 1, 13, "/q", close}, 7},
  };
  for (const Pair& pair : pairs) {
    const Diagnostic found = check_row(pair.row, "json-syntax");
    REQUIRE(found.places.size() == 2);
    CHECK(found.places[1].remark == "this bracket is still open");
    CHECK(found.places[1].line == 1);
    CHECK(found.places[1].column == pair.bracket_column);
  }
}

TEST_CASE("json: an odd quotation mark is looked for where the text should have ended") {
  check_rows({
      {"{\"tokens\": [\"the, \"cat\"]}", "expected a quotation mark after \"the, found \",\"", 1,
       17, "/tokens", "Write \"the\"."},
      {"{\"title: \"x\"}", "expected a quotation mark after \"title, found \":\"", 1, 8,
       "/title: ", "Write \"title\"."},
      {"[\"a\"b]", "expected \",\" or \"]\" after \"a\", found b", 1, 5, "",
       "Write a comma between \"a\" and b."},
  });
}

TEST_CASE("json: what other languages write is named, with what JSON has for it") {
  const char* list = "Write lists with [ ] and commas, such as [0, 1].";
  const char* comment = "Remove it, or make it a key that begins with _: \"_comment\": \"...\".";
  check_rows({
      {"{\"q\": (0, 1)}", "expected a value, found \"(\"", 1, 7, "/q", list},
      {"[0, 1)", "expected \",\" or \"]\" after 1, found \")\"", 1, 6, "", list},
      {"[0; 1]", "expected \",\" or \"]\" after 0, found \";\"", 1, 3, "",
       "Write a comma between the parts of a list or object."},
      {"// a\n{}", "expected a value, found a comment", 1, 1, "", comment},
      {"{\"a\": 1, /* x */ \"b\": 2}", "expected a key in quotation marks, found a comment", 1, 10,
       "", comment},
      {"[1, # two\n2]", "expected a value, found a comment", 1, 5, "", comment},
      {"{'heads': 2}", "expected a key in quotation marks, found a single quotation mark", 1, 2, "",
       "Use \" instead of '. In Python, json.dumps writes them."},
      {"{“a”: 1}", "expected a key in quotation marks, found \"“\"", 1, 2, "",
       "Type the plain \" instead."},
      {"[−1]", "expected a value or \"]\", found \"−\"", 1, 2, "", "Type the plain - instead."},
      {"[1,\u00A02]", "expected a value, found a no-break space", 1, 4, "",
       "Type a plain space instead."},
      {"{heads: 2}", "expected a key in quotation marks, found heads", 1, 2, "",
       "Write \"heads\"."},
      {"[True]", "expected a value, found True", 1, 2, "", "JSON writes it as true."},
      {"[None]", "expected a value, found None", 1, 2, "", "JSON writes it as null."},
      {"{\"mask\": causal}", "expected a value, found causal", 1, 10, "/mask",
       "Write \"causal\", in quotation marks."},
  });
}

TEST_CASE("json: how to repair NaN and infinities depends on their place") {
  const char* number =
      "Replace it with a number. (Only in a bias, \"-Infinity\" in quotation marks hides a key.)";
  const char* minus = "Write \"-Infinity\", in quotation marks.";
  check_rows(
      {
          {"[1, NaN]", expected("a number", "NaN"), 1, 5, "", "Write \"NaN\", in quotation marks."},
          {"[[0,\n-Infinity]]", expected("a number", "-Infinity"), 2, 1, "/0", minus},
          {"{\"embeddings\": [[nan]]}", expected("a number", "nan"), 1, 18, "/embeddings/0",
           number},
          {"{\"bias\": [[-inf]]}", expected("a number", "-inf"), 1, 12, "/bias/0", minus},
          {"{\"bias\": [[+inf]]}", expected("a number", "+inf"), 1, 12, "/bias/0", number},
          {"{\"masking\": {\"fill\": -Infinity}}", expected("a number", "-Infinity"), 1, 22,
           "/masking/fill", minus},
      },
      "json-nan");
}

TEST_CASE("json: a number that JSON does not know is shown with what to write instead") {
  const char* decimal = "Write a decimal number such as 0.5, -1 or 2e-3.";
  check_rows({
      {"[-007]", expected("a number", "-007"), 1, 2, "", "Write -7 instead."},
      {"[.5]", expected("a number", ".5"), 1, 2, "", "Write 0.5 instead."},
      {"[5.]", expected("a number", "5."), 1, 2, "", "Write 5 instead."},
      {"[+1]", expected("a number", "+1"), 1, 2, "", "Write 1 instead."},
      {"[0, 1/2]", expected("a number", "1/2"), 1, 5, "", "Write 0.5 instead."},
      {"[1/0]", expected("a number", "1/0"), 1, 2, "", decimal},
      {"[0x1F]", expected("a number", "0x1F"), 1, 2, "", decimal},
      {"[-]", expected("a number", "-"), 1, 2, "", decimal},
  });
}

TEST_CASE("json: what an answer may hold as text alone is to be put in quotation marks") {
  check_rows({
      {R"({"answers": {"q": [[√3, 1]]}})", expected("a number", "√3"), 1, 21, "/answers/q/0",
       "Put it in quotation marks: \"√3\"."},
      {R"({"answers": {"q": [[1, 50%]]}})", expected("a number", "50%"), 1, 24, "/answers/q/0",
       "Put it in quotation marks: \"50%\"."},
      {R"({"answers": {"q": [[０．５, 1]]}})", expected("a number", "０．５"), 1, 21,
       "/answers/q/0", "Put it in quotation marks: \"０．５\"."},
      {R"({"answers": {"q": [[1, 2/√3]]}})", expected("a number", "2/√3"), 1, 24, "/answers/q/0",
       "Put it in quotation marks: \"2/√3\"."},
      {R"({"embeddings": [[√3, 1]]})", "expected a value or \"]\", found \"√\"", 1, 18,
       "/embeddings/0", "Remove it, or add what is missing before it."},
  });
}

TEST_CASE("json: a number too large for float64 is refused") {
  const std::string digits = "1" + std::string(400, '0');
  const std::string what = expected(kFloat64, digits.substr(0, 40) + "…");
  const char* fix = "Write a smaller number.";
  check_rows({{"[-1e400]", expected(kFloat64, "-1e400"), 1, 2, "", fix},
              {"[" + digits + "]", what.c_str(), 1, 2, "", fix}},
             "json-range");
}

TEST_CASE("json: an unexpected word is reported with what belongs there") {
  check_rows({
      {"{\"embeddings\": [[1, None]]}", expected("a number", "None"), 1, 21, "/embeddings/0",
       kWithoutQuotes},
      {"{\"embeddings\": None}", "expected a matrix, found None", 1, 16, "/embeddings",
       one_list_per_row("[[1, 0], [0, 1]]")},
      {"{\"past\": {\"k\": None}}", "expected a matrix, found None", 1, 16, "/past/k",
       one_list_per_row("[[1, 0], [0, 1]]")},
      {"{\"weights\": None}", "expected an object, found None", 1, 13, "/weights", kInBraces},
      {"{\"weights\": {\"b_q\": None}}", "expected numbers, found None", 1, 21, "/weights/b_q",
       "Write a list such as [1, 0.5]; a matrix is a list of such lists."},
      {"{\"heads\": two}", expected("a whole number", "two"), 1, 11, "/heads",
       "Write a number such as 2, or leave out the key."},
      {"{\"scale\": none}", "expected a value, found none", 1, 11, "/scale",
       "Write \"none\", in quotation marks."},
      {"{\"tokens\": [the]}", "expected a value, found the", 1, 13, "/tokens",
       "Write \"the\", in quotation marks."},
      {"{\"allowed\": [[True]]}", "expected 0 or 1, found True", 1, 15, "/allowed/0",
       "JSON writes it as true."},
      {"{\"allowed\": [[yes]]}", "expected 0 or 1, found yes", 1, 15, "/allowed/0", kTrueOrFalse},
  });
}

TEST_CASE("json: what a string cannot hold is named") {
  const char* unclosed = "expected a closing quotation mark before the end of the line, found none";
  const char* close = "Put \" where the text ends; a line break inside it is written \\n.";
  const char* control = "expected printable text, found a control character inside a string";
  check_rows({
      {"{\"a\": \"b}\n", unclosed, 1, 7, "/a", close},
      {"{\"a: 1}\r\n", unclosed, 1, 2, "", close},
      {"[\"a\tb\"]", control, 1, 4, "", "Write a tab as \\t."},
      {"[\"a\x1b[2J\"]", control, 1, 4, "", "Remove it."},
      {"[\"C:\\data\"]", "expected an escape such as \\n, \\\" or \\u00e9, found \\d", 1, 5, "",
       "Write \\\\ for a backslash itself."},
      {"[\"\\ud83d\"]", "expected an escape such as \\n, \\\" or \\u00e9, found \\u", 1, 3, "",
       "Write \\\\ for a backslash itself."},
  });
}

TEST_CASE("json: for a file that is not JSON at all, the fix says what JSON looks like") {
  const char* fix =
      "This is not JSON: an object begins with { and ends with }, a list with [ and ].";
  check_rows({
      {"hello", "expected JSON, found hello", 1, 1, "", fix},
      {"01", "expected JSON, found 01", 1, 1, "", fix},
      {"<p>", "expected JSON, found \"<\"", 1, 1, "", fix},
  });
}

TEST_CASE("json: text after the end is named") {
  const char* fix = "Remove what follows, or look for a bracket that is closed too early.";
  check_rows({
      {"{\"a\": 1}}", "expected the end of the file, found \"}\"", 1, 9, "", fix},
      {"{}\n{}", "expected the end of the file, found \"{\"", 2, 1, "", fix},
      {"[1],", "expected the end of the file, found \",\"", 1, 4, "", fix},
  });
}

TEST_CASE("json: an empty file is its own error") {
  const char* what = "expected JSON, found an empty file";
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
  CHECK(found[0].what == key_twice("x"));
  CHECK(found[0].places[0].pointer == "/b~1c/x");
  CHECK(found[0].places[0].column == 18);
  CHECK(found[1].what == key_twice("a"));
  CHECK(found[1].fix == kKeepOne);
  REQUIRE(found[1].places.size() == 2);
  CHECK(found[1].places[0].remark == "the second time");
  CHECK(found[1].places[0].line == 3);
  CHECK(found[1].places[0].column == 3);
  CHECK(found[1].places[1].remark == "the first time");
  CHECK(found[1].places[1].line == 1);
  CHECK(found[1].places[1].column == 2);
}

TEST_CASE("json: reading goes on after a bracket that closes, up to five errors") {
  const std::vector<Diagnostic> found = syntax_errors(
      "{\"a\": [[5 1]],\n \"b\": [tru, {\"x\" 1}], \"c\": 1,\n \"c\": 2, \"v\": [[NaN]]}");
  REQUIRE(found.size() == 4);
  CHECK(found[0].what == "expected \",\" or \"]\" after 5, found 1");
  CHECK(found[1].what == "expected a value, found tru");
  CHECK(found[1].places.at(0).line == 2);
  CHECK(found[1].places.at(0).column == 8);
  CHECK(found[1].places.at(0).line_text == " \"b\": [tru, {\"x\" 1}], \"c\": 1,");
  CHECK(found[2].id == "json-nan");
  CHECK(found[3].id == "json-duplicate-key");

  std::string many = "[[1 2]";
  for (int i = 0; i < 9; ++i) many += ", [1 2]";
  CHECK(syntax_errors(many + "]").size() == 5);

  const std::vector<Diagnostic> commas =
      syntax_errors("{\"q\": [[1, 2,],\n [3, 4,],\n],\n \"k\": {\"a\": 5,},}");
  REQUIRE(commas.size() == 5);
  for (const Diagnostic& comma : commas) CHECK(comma.fix == "Remove the comma.");
}

TEST_CASE("json: reading does not go on after a bracket that does not close cleanly") {
  for (const char* text :
       {"{\"a\": [1, 2}, \"b\": [tru]}", "{\"a\": [1, \"x], \"b\":\n \"y\", [tru]}",
        "{\"a\" [1], \"b\": [tru]}"}) {
    CAPTURE(text);
    CHECK(syntax_errors(text).size() == 1);
  }
}

TEST_CASE("json: a decimal comma is recognised where a key should follow") {
  check_row({"{\"scale\": 0,5}", "expected a decimal point, found 0,5", 1, 11, "", "Write 0.5."},
            "json-syntax");
  check_row({"{\"scale\": -12,25, \"q\": 1}", "expected a decimal point, found -12,25", 1, 11, "",
             "Write -12.25."},
            "json-syntax");
}

TEST_CASE("json: columns count characters, whatever their width and the length of the line") {
  check_row({"[\"猫é🙂\", NaN]", expected("a number", "NaN"), 1, 9, "",
             "Write \"NaN\", in quotation marks."},
            "json-nan");
  const std::string line = "[\"" + std::string(10000, 'x') + "\" 1]";
  const Diagnostic found = check_row(
      {"[\r\n" + line + "\r\n]",
       ("expected \",\" or \"]\" after \"" + std::string(39, 'x') + "…\", found 1").c_str(), 2,
       10005, "/0", ("Write a comma between \"" + std::string(39, 'x') + "…\" and 1.").c_str()},
      "json-syntax");
  const Place& place = found.places[0];  // of a long line, it has only what is around the column
  CHECK(place.line_text == line.substr(static_cast<std::size_t>(place.first_column) - 1));
  CHECK(place.line_text.size() < 1100);
  CHECK(found.places[0].remark == "a comma is missing before this");
}

TEST_CASE("json: text that is cut off anywhere is an error with a place in it") {
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

TEST_CASE("json: no byte in any place makes the reader fail other than with an Error") {
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
