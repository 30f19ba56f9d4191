// The part of a long line that is shown around a column.
#include "render/errors/source_line.hpp"

#include <doctest/doctest.h>

#include <string>

#include "attn/render/text.hpp"

using attn::display_width;
using attn::show_line;
using attn::SourceLine;

namespace {

const std::string kPart = "0.5, 猫\u0301🙂, ";  // 10 characters

std::string long_line() {
  std::string line;
  for (int i = 0; i < 1000; ++i) line += kPart;
  return line;
}

}  // namespace

TEST_CASE("source line: a line that fits is whole, one that does not is cut") {
  const std::string line(30, 'x');
  CHECK(show_line(line, 5, 30, false).text == line);
  CHECK(show_line(line, 5, 29, false).text == std::string(28, 'x') + "…");
  CHECK(show_line(line, 31, 29, false).text == "…" + std::string(28, 'x'));
}

TEST_CASE("source line: a long line is cut around the caret, which keeps its place") {
  for (const int before : {0, 1, 3, 6, 500, 998, 1000}) {
    std::string line = long_line();
    line.insert(static_cast<std::size_t>(before) * kPart.size(), "@");
    for (const bool ascii : {false, true}) {
      for (const std::ptrdiff_t room : {24, 32, 72}) {
        const SourceLine shown = show_line(line, before * 10 + 1, room, ascii);
        CAPTURE(shown.text);
        const std::size_t mark = shown.text.find('@');
        REQUIRE(mark != std::string::npos);
        CHECK(shown.caret == display_width(shown.text.substr(0, mark)));
        CHECK(display_width(shown.text) <= room);
        CHECK(display_width(shown.text) >
              room - 12);  // one piece of text may be left out at each end
      }
    }
  }
}

TEST_CASE("source line: only the sides that were cut are marked") {
  const std::string start = show_line(long_line(), 1, 40, false).text;
  CHECK(start.starts_with("0.5, "));
  CHECK(start.ends_with("…"));
  const std::string middle = show_line(long_line(), 5000, 40, true).text;
  CHECK(middle.starts_with("..."));
  CHECK(middle.ends_with("..."));
  const std::string end = show_line(long_line(), 99999, 40, false).text;
  CHECK(end.starts_with("…"));
  CHECK(end.ends_with("🙂,"));
}

TEST_CASE("source line: tabs become four spaces, trailing blanks go") {
  const SourceLine shown = show_line("\t[1,\t2] \t\r", 3, 40, false);
  CHECK(shown.text == "    [1,    2]");
  CHECK(shown.caret == 5);
}
