// The text of every error about one token, as somebody who wrote the file sees it.

#include <doctest/doctest.h>

#include <string>

#include "io/error_rows.hpp"

namespace attn::testing {

TEST_CASE("json: NaN and infinities without quotation marks tell the repair") {
  const std::string python =
      ", in quotation marks. In Python, json.dumps(..., allow_nan=False) refuses such numbers "
      "instead of writing them bare.";
  const std::string nan = "Write \"NaN\"" + python, infinity = "Write \"Infinity\"" + python,
                    minus = "Write \"-Infinity\"" + python;
  check_rows(
      {
          {"[1, NaN]", "expected a number, found NaN without quotation marks", 1, 5, "",
           nan.c_str()},
          {"nan", "expected a number, found nan without quotation marks", 1, 1, "", nan.c_str()},
          {"{\"a\": Infinity}", "expected a number, found Infinity without quotation marks", 1, 7,
           "/a", infinity.c_str()},
          {"[+inf]", "expected a number, found +inf without quotation marks", 1, 2, "",
           infinity.c_str()},
          {"[[0,\n-Infinity]]", "expected a number, found -Infinity without quotation marks", 2, 1,
           "/0", minus.c_str()},
          {"[-Inf]", "expected a number, found -Inf without quotation marks", 1, 2, "",
           minus.c_str()},
      },
      "json-nan");
}

TEST_CASE("json: a number that JSON does not know is shown with what to write instead") {
  const char* decimal = "Write a decimal number such as 0.5, -1 or 2e-3.";
  check_rows({
      {"[01]", "expected a number, found 01", 1, 2, "", "Write 1 instead."},
      {"[-007]", "expected a number, found -007", 1, 2, "", "Write -7 instead."},
      {"[.5]", "expected a number, found .5", 1, 2, "", "Write 0.5 instead."},
      {"[-.5]", "expected a number, found -.5", 1, 2, "", "Write -0.5 instead."},
      {"[5.]", "expected a number, found 5.", 1, 2, "", "Write 5.0 instead."},
      {"[+1]", "expected a number, found +1", 1, 2, "", "Write 1 instead."},
      {"[1_000]", "expected a number, found 1_000", 1, 2, "", "Write 1000 instead."},
      {"[0, 1/2]", "expected a number, found 1/2", 1, 5, "", decimal},
      {"[0x1F]", "expected a number, found 0x1F", 1, 2, "", decimal},
      {"[1.2.3]", "expected a number, found 1.2.3", 1, 2, "", decimal},
      {"[1e]", "expected a number, found 1e", 1, 2, "", decimal},
      {"[-]", "expected a number, found -", 1, 2, "", decimal},
      {"01", "expected a number, found 01", 1, 1, "", "Write 1 instead."},
  });
}

TEST_CASE("json: a number too large for float64 is refused") {
  const char* fix = "Write a smaller number; an infinity is \"Infinity\" or \"-Infinity\".";
  const std::string digits = "1" + std::string(400, '0');
  const std::string what =
      "expected a number that float64 can hold, found " + digits.substr(0, 40) + "…";
  check_rows({{"[0, 1e999]", "expected a number that float64 can hold, found 1e999", 1, 5, "", fix},
              {"[-1e400]", "expected a number that float64 can hold, found -1e400", 1, 2, "", fix},
              {"[" + digits + "]", what.c_str(), 1, 2, "", fix}},
             "json-range");
}

TEST_CASE("json: words and quotation marks of other languages are translated") {
  check_rows({
      {"[True]", "expected a value, found True", 1, 2, "", "Write true."},
      {"[None]", "expected a value, found None", 1, 2, "", "Write null."},
      {"{\"mask\": causal}", "expected a value, found causal", 1, 10, "/mask",
       "Write \"causal\", in quotation marks."},
      {"[nullx]", "expected a value, found nullx", 1, 2, "",
       "Write \"nullx\", in quotation marks."},
      {"{heads: 2}", "expected a key in quotation marks, found heads", 1, 2, "",
       "Write \"heads\"."},
      {"{\"a\": 1, 2: 2}", "expected a key in quotation marks, found 2", 1, 10, "", "Write \"2\"."},
      {"{'heads': 2}", "expected double quotation marks, found single ones", 1, 2, "",
       "Write \"heads\". In Python, json.dumps writes them."},
      {"['it \"is\"']", "expected double quotation marks, found single ones", 1, 2, "",
       "Use \" instead of '. In Python, json.dumps writes them."},
      {"{“a”: 1}", "expected a key in quotation marks, found the character “", 1, 2, "",
       "Type the plain \" instead."},
      {"[−1]", "expected a value or \"]\", found the character −", 1, 2, "",
       "Type the plain - instead."},
      {"[1,\u00A02]", "expected a value, found the character \u00A0", 1, 4, "",
       "Type the plain space instead."},
      {"<p>", "expected a value, found \"<\"", 1, 1, "",
       "Remove it, or add what is missing before it."},
  });
}

TEST_CASE("json: comments are refused with the way to keep them") {
  const char* fix = "Remove it, or make it a key that begins with _: \"_comment\": \"...\".";
  check_rows({
      {"// a\n{}", "expected a value, found a comment", 1, 1, "", fix},
      {"{\"a\": 1 // one\n}", "expected \",\" or \"}\" after 1, found a comment", 1, 9, "", fix},
      {"{\"a\": 1, /* x */ \"b\": 2}", "expected a key in quotation marks, found a comment", 1, 10,
       "", fix},
      {"[1, # two\n2]", "expected a value, found a comment", 1, 5, "", fix},
  });
}

TEST_CASE("json: what a string cannot hold is named") {
  const char* close = "Put \" where the text ends; a line break inside a text is written \\n.";
  const char* unclosed = "expected a closing quotation mark before the end of the line";
  const char* hexadecimal =
      "Write \\u and four hexadecimal digits, such as \\u00e9; a character beyond \\uffff is "
      "written as it is, or as a pair of these.";
  const char* control = "expected printable text, found a control character inside a string";
  check_rows({
      {"{\"a\": \"b}\n", unclosed, 1, 7, "/a", close},
      {"{\"a\": \"b", unclosed, 1, 7, "/a", close},
      {"{\"a: 1}\r\n", unclosed, 1, 2, "", close},
      {"[\"a\tb\"]", control, 1, 4, "", "Write a tab as \\t."},
      {"[\"a\x1b[2J\"]", control, 1, 4, "", "Remove it."},
      {"[\"C:\\data\"]", "expected an escape such as \\n or \\\", found \\d", 1, 5, "",
       "Write \\\\ for a backslash itself."},
      {"[\"\\u12g4\"]", "expected an escape such as \\n or \\\", found \\u", 1, 3, "", hexadecimal},
      {"[\"\\ud83d\"]", "expected an escape such as \\n or \\\", found \\u", 1, 3, "", hexadecimal},
  });
}

}  // namespace attn::testing
