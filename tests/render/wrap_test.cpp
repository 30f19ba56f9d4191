// Where lines end: at spaces, and between the characters of Chinese, by its own rules.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "attn/document.hpp"
#include "attn/render/text.hpp"
#include "attn/writers.hpp"
#include "render/terminal/width.hpp"
#include "support/phrases.hpp"

using namespace attn;

namespace {

constexpr std::string_view kClosing[] = {"，", "。", "、", "；", "：", "！", "？", "）",
                                         "】", "》", "」", "』", "”",  "’",  "％", ")"};
constexpr std::string_view kOpening[] = {"（", "【", "《", "「", "『", "“", "‘", "("};

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line;
  return all;
}

/// Lines of a paragraph at a width, as a terminal shows them.
std::vector<std::string> shown(const std::string& text, std::ptrdiff_t width) {
  Document document;
  document.blocks.emplace_back(Paragraph{text});
  return testing::lines_of(write_text(document, {.width = width, .fit = Fit::Wrap}));
}

}  // namespace

TEST_CASE("wrap: a line of Chinese ends after any character, and is as long as it can be") {
  const Ruler ruler;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "注意";
  for (std::ptrdiff_t width = 4; width < 60; ++width) {
    CAPTURE(width);
    const std::vector<std::string> lines = wrapped(text, width, width, ruler);
    CHECK(joined(lines) == text);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      CHECK(ruler.width(lines[i]) == width - width % 2);
  }
}

TEST_CASE("wrap: no line begins with what closes, and none ends with what opens") {
  const Ruler ruler;
  const auto check = [&](const std::string& text, std::string_view mark, bool opens) {
    for (std::ptrdiff_t width = 6; width <= 24; ++width) {
      CAPTURE(mark);
      CAPTURE(width);
      const std::vector<std::string> lines = wrapped(text, width, width, ruler);
      CHECK(joined(lines) == text);
      for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK(ruler.width(lines[i]) <= width);
        if (opens) CHECK(!lines[i].ends_with(mark));
        if (!opens) CHECK(!lines[i].starts_with(mark));
        if (i + 1 < lines.size()) CHECK(ruler.width(lines[i]) >= width - 3);  // full all the same
      }
    }
  };
  for (const std::string_view mark : kClosing)
    check("查询和键" + std::string(mark) + "值与权重的矩阵" + std::string(mark) + "相乘得到分数",
          mark, false);
  for (const std::string_view mark : kOpening)
    check("查询和键" + std::string(mark) + "值与权重的矩阵" + std::string(mark) + "相乘得到分数",
          mark, true);
}

TEST_CASE("wrap: a number and a word among Chinese stay whole, in half-width letters") {
  const Ruler ruler;
  const std::string text = "分数是0,5或1.25（约为12%），由softmax得到";
  for (std::ptrdiff_t width = 9; width <= 30; ++width) {
    CAPTURE(width);
    std::string lines;
    for (const std::string& line : wrapped(text, width, width, ruler)) lines += line + "\n";
    for (const char* whole : {"0,5", "1.25", "12%）", "softmax"}) CHECK(testing::has(lines, whole));
  }
}

TEST_CASE("wrap: a paragraph of Chinese fills its lines; only a lone last character is avoided") {
  const Ruler ruler;
  std::string text;
  for (int i = 0; i < 45; ++i) text += "权";
  text += "。";
  for (std::ptrdiff_t width = 20; width <= 80; ++width) {
    CAPTURE(width);
    const std::vector<std::string> lines = shown(text, width);
    REQUIRE(lines.size() > 1);
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      CHECK(ruler.width(lines[i]) >= width - 1 - 5);
    CHECK(ruler.width(lines.back()) > 4);  // more than one character and the full stop
  }
  // the last line of English is not much shorter than the others
  std::string english;
  for (int i = 0; i < 16; ++i) english += "abcd ";
  const std::vector<std::string> lines = shown(english + "end", 81);
  REQUIRE(lines.size() == 2);
  CHECK(ruler.width(lines.back()) >= 16);
}
