// Error messages: layout, source lines and carets, colours.
#include "attn/render/error_text.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "attn/render/text.hpp"
#include "render/terminal/width.hpp"
#include "support/phrases.hpp"
#include "support/program.hpp"

using attn::Diagnostic;
using attn::ErrorStyle;
using attn::Place;
using attn::testing::lines_of;

namespace {

std::string text_of(Diagnostic diagnostic, const ErrorStyle& style = {}) {
  return error_text(attn::input_error(std::move(diagnostic)), style);
}

Place place_at(int line, int column, std::string line_text, std::string remark = "") {
  return {"", std::move(remark), "lesson.json", line, column, std::move(line_text)};
}

Diagnostic with_places(std::vector<Place> places) {
  return {.id = "some-id", .what = "something is wrong", .places = std::move(places)};
}

Diagnostic shape_mismatch() {
  Place w_q = place_at(9, 10, "  \"w_q\": [", "w_q has 4 rows of 2 numbers; it needs 5 rows");
  w_q.pointer = "/w_q";
  const Place x = place_at(3, 8, "  \"X\": [", "X has 4 rows of 5 numbers, so d_model = 5");
  return {.id = "shape-mismatch",
          .what = "step Q = X·w_q cannot be computed: 5 is not 4",
          .places = {w_q, x},
          .sketch = "      X     ·   w_q\n    (4×5)     (4×2)\n       ^       ^",
          .rule = "Columns and rows go together.",
          .fix = "Add one row to w_q, or drop one number from every row of X.",
          .help = "attn help shapes"};
}

std::string without_escapes(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = text.find('m', i);
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// Checks that the caret of the first place is exactly under `target`.
void check_caret_under(const std::string& text, const std::string& target) {
  const std::vector<std::string> lines = lines_of(text);
  REQUIRE(lines.size() >= 5);
  const std::size_t caret = lines[4].find('^');
  const std::size_t found = lines[3].find(target);
  CAPTURE(text);
  REQUIRE(caret != std::string::npos);
  REQUIRE(found != std::string::npos);
  CHECK(attn::display_width(lines[4].substr(0, caret)) ==
        attn::display_width(lines[3].substr(0, found)));
}

}  // namespace

TEST_CASE("error text: a shape error shows the sketch, both places in line order, rule and fix") {
  CHECK(text_of(shape_mismatch()) ==
        "error[shape-mismatch]: step Q = X·w_q cannot be computed: 5 is not 4\n"
        "\n"
        "      X     ·   w_q\n"
        "    (4×5)     (4×2)\n"
        "       ^       ^\n"
        "\n"
        "  --> lesson.json:9:10   /w_q\n"
        "    3 |   \"X\": [\n"
        "      |        - X has 4 rows of 5 numbers, so d_model = 5\n"
        "      ...\n"
        "    9 |   \"w_q\": [\n"
        "      |          ^ w_q has 4 rows of 2 numbers; it needs 5 rows\n"
        "\n"
        "  rule  Columns and rows go together.\n"
        "  fix   Add one row to w_q, or drop one number from every row of X.\n"
        "  more  attn help shapes\n");
}

TEST_CASE("error text: without sketch and places the notes follow the headline") {
  CHECK(text_of({.id = "unknown-command",
                 .what = "it is not there",
                 .fix = "Write attn explain.",
                 .help = "attn --help"}) ==
        "error[unknown-command]: it is not there\n"
        "  fix   Write attn explain.\n"
        "  more  attn --help\n");
  CHECK(text_of({.id = "plain", .what = "no more than that"}) ==
        "error[plain]: no more than that\n");
}

TEST_CASE("error text: a place may be a pointer, an option or a file alone") {
  Place pointer, option, file;
  pointer.pointer = "/w_q";
  option.pointer = "/heads";
  option.file = "--heads 3";
  option.remark = "3 heads";
  file.file = "lesson.json";
  file.pointer = "/w_k";
  CHECK(text_of(with_places({pointer, option, file})) ==
        "error[some-id]: something is wrong\n"
        "\n"
        "  --> /w_q\n"
        "  --> --heads 3\n"
        "        3 heads\n"
        "  --> lesson.json   /w_k\n");
}

TEST_CASE("error text: places in two files come under two headers") {
  Place other = place_at(2, 1, "[1]");
  other.file = "answers.json";
  CHECK(text_of(with_places({place_at(7, 1, "{"), other, place_at(8, 1, "}", "ends here")})) ==
        "error[some-id]: something is wrong\n"
        "\n"
        "  --> lesson.json:7:1\n"
        "    7 | {\n"
        "      | ^\n"
        "    8 | }\n"
        "      | - ends here\n"
        "  --> answers.json:2:1\n"
        "    2 | [1]\n"
        "      | ^\n");
}

TEST_CASE("error text: two places in one line share it") {
  const std::string line = "{\"q\": 1, \"q\": 2}";
  CHECK(text_of(with_places({place_at(1, 10, line, "again"), place_at(1, 2, line, "first")})) ==
        "error[some-id]: something is wrong\n"
        "\n"
        "  --> lesson.json:1:10\n"
        "    1 | {\"q\": 1, \"q\": 2}\n"
        "      |  - first\n"
        "      |          ^ again\n");
}

TEST_CASE("error text: two places in one long line share the part that is shown, if it has both") {
  const std::string line = std::string(100, 'a') + "(猫)" + std::string(100, 'b');
  const auto shared = [&](int second, bool ascii) {
    return text_of(with_places({place_at(1, 101, line), place_at(1, second, line, "here")}),
                   {.ascii = ascii});
  };
  const std::vector<std::string> near = lines_of(shared(103, false));
  REQUIRE(near.size() == 6);
  CHECK(near[4].find('^') + 3 == near[5].find('-'));
  CHECK(lines_of(shared(103, true)).size() == 6);
  CHECK(lines_of(shared(103, true))[5].find('-') ==
        near[5].find('-') - near[4].find('^') + lines_of(shared(103, true))[4].find('^') + 6);
  CHECK(lines_of(shared(190, false)).size() == 7);
}

TEST_CASE("error text: carets are under their column whatever comes before it") {
  const std::vector<std::string> starts = {
      "",        "猫猫",     "e\u0301e\u0301", "👩\u200D👩\u200D👧",   "🇯🇵", "\t\t", "قط\u202E",
      "\x1b[2J", "\xFF\xFE", "❤\uFE0F",        std::string("\0", 1)};
  for (const std::string& start : starts) {
    int characters = 0;
    for (std::string_view rest = start; !rest.empty(); ++characters) {
      rest.remove_prefix(attn::decode(rest).bytes);
    }
    for (const bool ascii : {false, true}) {
      const Place place = place_at(1, characters + 1, start + "@ 1.5", "here");
      check_caret_under(text_of(with_places({place}), {.ascii = ascii}), "@");
    }
  }
}

TEST_CASE("error text: a caret inside a cluster is at its start, one past the end is after it") {
  check_caret_under(text_of(with_places({place_at(1, 3, "ab\u0301c")})), "b\u0301");
  const std::vector<std::string> end = lines_of(text_of(with_places({place_at(4, 99, "[1, 2")})));
  CHECK(end[3] == "    4 | [1, 2");
  CHECK(end[4] == "      |      ^");
  const std::vector<std::string> empty = lines_of(text_of(with_places({place_at(5, 1, "")})));
  CHECK(empty[3] == "    5 |");
  CHECK(empty[4] == "      | ^");
}

TEST_CASE("error text: a place without a column has no caret") {
  CHECK(text_of(with_places({place_at(5, 0, "[1, 2]", "this row")})) ==
        "error[some-id]: something is wrong\n"
        "\n"
        "  --> lesson.json:5\n"
        "    5 | [1, 2]\n"
        "      | this row\n");
}

TEST_CASE("error text: a long line is cut so that the whole text keeps to the width") {
  const std::string line(10000, 'x');
  for (const int column : {1, 20, 71, 5000, 9999, 10001}) {
    for (const std::ptrdiff_t width : {40, 80}) {
      const std::string text = text_of(with_places({place_at(1, column, line)}), {.width = width});
      for (const std::string& each : lines_of(text)) CHECK(attn::display_width(each) <= width);
    }
  }
  const std::string fits(71, 'x');
  CHECK(lines_of(text_of(with_places({place_at(1, 1, fits)})))[3] == "    1 | " + fits);
  CHECK(lines_of(text_of(with_places({place_at(1, 72, fits)})))[4].size() == 80);
}

TEST_CASE("error text: long sentences are wrapped with hanging indentation") {
  Diagnostic long_words = with_places({});
  long_words.what = "one two three four five six seven eight nine ten eleven twelve";
  long_words.rule = "a rule that is longer than forty cells, with 猫猫猫猫 in it";
  long_words.fix = "averyverylongwordthatcannotbebrokenanywhere short";
  CHECK(text_of(long_words, {.width = 40}) ==
        "error[some-id]: one two three four five\n"
        "  six seven eight nine ten eleven twelve\n"
        "  rule  a rule that is longer than forty\n"
        "        cells, with 猫猫猫猫 in it\n"
        "  fix   averyverylongwordthatcannotbebrokenanywhere\n"
        "        short\n");
}

TEST_CASE("error text: a long remark is wrapped beside the caret, or below it without room") {
  const std::string remark = "this is a remark that is far too long for one line of this width";
  CHECK(text_of(with_places({place_at(1, 5, "    [1]", remark)}), {.width = 50}) ==
        "error[some-id]: something is wrong\n"
        "\n"
        "  --> lesson.json:1:5\n"
        "    1 |     [1]\n"
        "      |     ^ this is a remark that is far too\n"
        "      |       long for one line of this width\n");
  CHECK(text_of(with_places({place_at(1, 31, "                              [1]", remark)}),
                {.width = 50}) ==
        "error[some-id]: something is wrong\n"
        "\n"
        "  --> lesson.json:1:31\n"
        "    1 |                               [1]\n"
        "      |                               ^\n"
        "      | this is a remark that is far too long for\n"
        "      | one line of this width\n");
}

TEST_CASE("error text: large line numbers widen the gutter") {
  CHECK(text_of(with_places({place_at(1234567, 1, "[1]", "a"), place_at(3, 1, "[2]", "b")})) ==
        "error[some-id]: something is wrong\n"
        "\n"
        "  --> lesson.json:1234567:1\n"
        "      3 | [2]\n"
        "        | - b\n"
        "        ...\n"
        "1234567 | [1]\n"
        "        | ^ a\n");
}

TEST_CASE("error text: at most five diagnostics, then how many more") {
  std::vector<Diagnostic> seven;
  for (int i = 0; i < 7; ++i) seven.push_back({.id = "id-" + std::to_string(i), .what = "wrong"});
  CHECK(error_text(attn::Error(attn::ErrorKind::Input, seven)) ==
        "error[id-0]: wrong\n\nerror[id-1]: wrong\n\nerror[id-2]: wrong\n\n"
        "error[id-3]: wrong\n\nerror[id-4]: wrong\n\nand 2 more\n");
  seven.resize(2);
  CHECK(error_text(attn::Error(attn::ErrorKind::Input, seven)) ==
        "error[id-0]: wrong\n\nerror[id-1]: wrong\n");
}

TEST_CASE("error text: after several errors the last line repeats the first fix") {
  const std::vector<Diagnostic> two = {{.id = "one", .what = "wrong", .fix = "Mend this."},
                                       {.id = "two", .what = "wrong", .fix = "Mend that."}};
  CHECK(error_text(attn::Error(attn::ErrorKind::Input, two)) ==
        "error[one]: wrong\n"
        "  fix   Mend this.\n"
        "\n"
        "error[two]: wrong\n"
        "  fix   Mend that.\n"
        "\n" +
            std::string(attn::testing::kBeginWith) + "Mend this.\n");
}

TEST_CASE("error text: errors with the same id share their lines, and nothing appears twice") {
  Diagnostic one = with_places({place_at(2, 1, "{\"a\": 1,")});
  one.what = "a is wrong";
  one.places[0].pointer = "/a";
  one.fix = "Mend it.";
  Diagnostic two =
      with_places({place_at(3, 1, " \"b\": 2}", "here"), place_at(2, 2, "{\"a\": 1,", "not as")});
  two.what = "b is wrong";
  two.places[0].pointer = "/b";
  two.fix = "Mend that.";
  CHECK(error_text(attn::Error(attn::ErrorKind::Input, {one, two, one})) ==
        "error[some-id]: a is wrong\n"
        "error[some-id]: b is wrong\n"
        "\n"
        "  --> lesson.json:2:1\n"
        "    2 | {\"a\": 1,\n"
        "      | ^\n"
        "      |  - not as\n"
        "    3 |  \"b\": 2}\n"
        "      | ^ here\n"
        "\n"
        "  fix   Mend it.\n"
        "        Mend that.\n");
}

TEST_CASE("error text: an option that several errors come from is named once") {
  Diagnostic first = with_places({{.pointer = "/tokens/0", .file = "--text a b"}});
  Diagnostic second = first;
  second.places[0].pointer = "/tokens/1";
  second.what = "another thing is wrong";
  CHECK(error_text(attn::Error(attn::ErrorKind::Input, {first, second})) ==
        "error[some-id]: something is wrong\n"
        "error[some-id]: another thing is wrong\n"
        "\n"
        "  --> --text a b\n");
}

TEST_CASE("error text: an error with a sketch shares no lines with another") {
  const Diagnostic drawn = shape_mismatch();
  const std::string text = error_text(attn::Error(attn::ErrorKind::Input, {drawn, drawn}));
  CHECK(
      text.starts_with(text_of(drawn) + "\n" + text_of(drawn) + "\n" + attn::testing::kBeginWith));
}

TEST_CASE("error text: colour adds only escapes") {
  const std::string colored = text_of(shape_mismatch(), {.color = true});
  CHECK(colored.starts_with("\x1b[1;31merror\x1b[0m[shape-mismatch]: "));
  CHECK(colored.find("\x1b[2m-->\x1b[0m") != std::string::npos);
  CHECK(without_escapes(colored) == text_of(shape_mismatch()));
  CHECK(text_of(shape_mismatch()).find('\x1b') == std::string::npos);
}

TEST_CASE("error text: ASCII output is pure 7-bit") {
  Diagnostic diagnostic = shape_mismatch();
  diagnostic.places.push_back(place_at(4, 2, "[\"猫\", √2]", "a cat — “猫”"));
  diagnostic.places.back().file = "猫.json";
  diagnostic.fix = "Kᵀ needs d_k ≤ 4 …";
  const std::string text = text_of(diagnostic, {.ascii = true});
  for (const char c : text) CHECK((c == '\n' || (c >= 0x20 && c < 0x7F)));
  CHECK(text.find("    (4x5)     (4x2)\n") != std::string::npos);
  CHECK(text.find("--> \\u{732b}.json:4:2\n") != std::string::npos);
  CHECK(text.find("  fix   K^T needs d_k <= 4 ...\n") != std::string::npos);
}

TEST_CASE("error text: nothing from the input can act on the terminal") {
  const std::string evil = "\x1b[2J\u202E\r\xFF\u009B";
  const Place place = {evil, evil, evil, 1, 3, "ab" + evil};
  const std::string text = text_of({.id = evil,
                                    .what = evil + "\n",
                                    .places = {place},
                                    .sketch = evil + "\n" + evil,
                                    .rule = evil,
                                    .fix = evil,
                                    .help = evil});
  for (const char* act : {"\x1b", "\u202E", "\r", "\xFF", "\u009B"}) {
    CHECK(text.find(act) == std::string::npos);
  }
  CHECK(lines_of(text).size() == 12);
}

TEST_CASE("error text: no line ends in blanks") {
  for (const std::string& line :
       lines_of(text_of(with_places({place_at(3, 1, "  [1],   \r", "x")})))) {
    CHECK_FALSE(line.ends_with(" "));
    CHECK_FALSE(line.ends_with("\\r"));
  }
}
