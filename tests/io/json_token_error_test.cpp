// The text of every error about one token, as somebody who wrote the file sees it.

#include <doctest/doctest.h>

#include <string>

#include "io/error_rows.hpp"

namespace attn::testing {

TEST_CASE("json: NaN and infinities without quotation marks tell the repair") {
  const std::string python = " In Python, json.dumps(..., allow_nan=False) finds such numbers.";
  const std::string quoted = ", in quotation marks." + python;
  const std::string nan = "Write \"NaN\"" + quoted, infinity = "Write \"Infinity\"" + quoted,
                    minus = "Write \"-Infinity\"" + quoted;
  const std::string number =
      "Replace it by a number. (Only in a bias, \"-Infinity\" in quotation marks hides a key.)" +
      python;
  check_rows(
      {
          {"[1, NaN]", "expected a number, found NaN", 1, 5, "", nan.c_str()},
          {"{\"a\": Infinity}", "expected a number, found Infinity", 1, 7, "/a", infinity.c_str()},
          {"[+inf]", "expected a number, found +inf", 1, 2, "", infinity.c_str()},
          {"[[0,\n-Infinity]]", "expected a number, found -Infinity", 2, 1, "/0", minus.c_str()},
          {"[-Inf]", "expected a number, found -Inf", 1, 2, "", minus.c_str()},
          {"{\"embeddings\": [[nan]]}", "expected a number, found nan", 1, 18, "/embeddings/0",
           number.c_str()},
          {"{\"weights\": {\"w_q\": [[-inf]]}}", "expected a number, found -inf", 1, 23,
           "/weights/w_q/0", number.c_str()},
          {"{\"bias\": [[-inf]]}", "expected a number, found -inf", 1, 12, "/bias/0",
           minus.c_str()},
          {"{\"bias\": [[NaN]]}", "expected a number, found NaN", 1, 12, "/bias/0", number.c_str()},
          {"{\"bias\": [[inf]]}", "expected a number, found inf", 1, 12, "/bias/0", number.c_str()},
          {"{\"masking\": {\"fill\": -Infinity}}", "expected a number, found -Infinity", 1, 22,
           "/masking/fill", minus.c_str()},
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
      {"[5.]", "expected a number, found 5.", 1, 2, "",
       "Write 5.0 instead. If NumPy printed it: json.dumps(array.tolist()) writes JSON."},
      {"[+1]", "expected a number, found +1", 1, 2, "", "Write 1 instead."},
      {"[1_000]", "expected a number, found 1_000", 1, 2, "", "Write 1000 instead."},
      {"[0, 1/2]", "expected a number, found 1/2", 1, 5, "", "Write 0.5 instead."},
      {"[0x1F]", "expected a number, found 0x1F", 1, 2, "", decimal},
      {"[1.2.3]", "expected a number, found 1.2.3", 1, 2, "", decimal},
      {"[1e]", "expected a number, found 1e", 1, 2, "", decimal},
      {"[-]", "expected a number, found -", 1, 2, "", decimal},
  });
}

TEST_CASE("json: a number too large for float64 is refused") {
  const char* fix = "Write a smaller number.";
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
      {"[True]", "expected a value, found True", 1, 2, "",
       "The words of JSON are true, false and null: write true."},
      {"[None]", "expected a value, found None", 1, 2, "",
       "The words of JSON are true, false and null: write null."},
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
  });
}

TEST_CASE("json: a word where a problem has something else tells what belongs there") {
  const char* count = "Write a number such as 2, or leave out the key.";
  const char* cell = "Write a number, without quotation marks.";
  check_rows({
      {"{\"embeddings\": [[1, None]]}", "expected a number, found None", 1, 21, "/embeddings/0",
       cell},
      {"{\"embeddings\": [[0, 1, l]]}", "expected a number, found l", 1, 24, "/embeddings/0",
       "Write a number, perhaps 1."},
      {"{\"q\": [[O, 1]]}", "expected a number, found O", 1, 9, "/q/0",
       "Write a number, perhaps 0."},
      {"{\"past\": {\"k\": [[x]]}}", "expected a number, found x", 1, 18, "/past/k/0", cell},
      {"{\"embeddings\": None}", "expected a matrix, found None", 1, 16, "/embeddings",
       "Write one list for each row, such as [[1, 0], [0, 1]]."},
      {"{\"weights\": None}", "expected an object, found None", 1, 13, "/weights",
       "Write the keys and their values in braces."},
      {"{\"weights\": {\"b_q\": None}}", "expected numbers, found None", 1, 21, "/weights/b_q",
       "Write a list such as [1, 0.5]; a matrix is a list of such lists."},
      {"{\"heads\": None}", "expected a whole number, found None", 1, 11, "/heads", count},
      {"{\"heads\": two}", "expected a whole number, found two", 1, 11, "/heads", count},
      {"{\"mask\": None}", "expected a mask, found None", 1, 10, "/mask",
       "Write a mask such as \"causal\", or leave out the key."},
      {"{\"scale\": None}", "expected a number, found None", 1, 11, "/scale",
       "Write a number, \"none\" or \"1/sqrt(d_k)\", or leave out the key."},
      {"{\"scale\": none}", "expected a value, found none", 1, 11, "/scale",
       "Write \"none\", in quotation marks."},
      {"{\"tokens\": [the]}", "expected a value, found the", 1, 13, "/tokens",
       "Write \"the\", in quotation marks."},
      {"{\"tokens\": None}", "expected a list of texts, found None", 1, 12, "/tokens",
       "Write a list such as [\"the\", \"cat\"]."},
      {"{\"allowed\": [[True]]}", "expected 0 or 1, found True", 1, 15, "/allowed/0",
       "Write true."},
      {"{\"allowed\": [[None]]}", "expected 0 or 1, found None", 1, 15, "/allowed/0",
       "Write 1 where the query may attend to the key, 0 where not."},
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
