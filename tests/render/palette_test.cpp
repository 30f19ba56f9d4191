// The colours of heat cells: readable, and in an order that the eye follows.
#include "render/terminal/palette.hpp"
#include "attn/suggest.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "attn/error.hpp"
#include "render/terminal/styled_line.hpp"
#include "support/compare.hpp"
#include "support/phrases.hpp"
#include "support/plain.hpp"

using namespace attn;
using namespace attn::testing;

namespace {

constexpr ColorDepth kColorDepths[] = {ColorDepth::Ansi16, ColorDepth::Ansi256,
                                       ColorDepth::TrueColor};

std::vector<Palette> all_palettes() {
  std::vector<Palette> all;
  for (const std::string& name : palette_names()) all.push_back(parse_palette(name));
  return all;
}

/// Contrast of two luminances, 1 to 21. WCAG 2.1.
double contrast(double one, double other) {
  return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

/// How many colours a depth has for a palette.
std::size_t colors_of(Palette palette, ColorDepth depth) {
  if (depth == ColorDepth::TrueColor) return 33;  // enough to see which way it goes
  std::set<std::string> codes;
  for (int i = 0; i <= 1000; ++i) codes.insert(heat_color(palette, depth, i / 1000.0).back);
  return codes.size();
}

/// Luminances as `at` goes from 0 to 1, one for each colour to distinguish.
std::vector<double> luminances(Palette palette, ColorDepth depth) {
  const std::size_t n = colors_of(palette, depth);
  std::vector<double> all;
  for (std::size_t i = 0; i < n; ++i) {
    const double at = static_cast<double>(i) / static_cast<double>(n - 1);
    all.push_back(luminance(heat_color(palette, depth, at).background));
  }
  return all;
}

}  // namespace

TEST_CASE("palette: luminance of black, white and a known grey") {
  CHECK(luminance({0, 0, 0}) == 0.0);
  CHECK(close(1.0, luminance({255, 255, 255})));
  CHECK(close(0.1812, luminance({118, 118, 118}), 0.001));
  CHECK(close(21.0, contrast(0.0, 1.0)));
}

TEST_CASE("palette: text on every colour has a contrast of at least 4.5") {
  for (const Palette palette : all_palettes()) {
    for (const ColorDepth depth : kColorDepths) {
      for (int i = 0; i <= 1000; ++i) {
        const HeatColor color = heat_color(palette, depth, i / 1000.0);
        const double back = luminance(color.background);
        CHECK(color.black_text == (back > 0.179));
        CHECK(contrast(back, color.black_text ? 0.0 : 1.0) >= 4.5);
      }
    }
  }
}

TEST_CASE("palette: luminance rises strictly; in the diverging one to the middle, then it falls") {
  for (const Palette palette : all_palettes()) {
    for (const ColorDepth depth : kColorDepths) {
      const std::vector<double> all = luminances(palette, depth);
      const std::size_t top = palette == Palette::BlueOrange ? all.size() / 2 : all.size() - 1;
      for (std::size_t i = 1; i < all.size(); ++i) {
        CAPTURE(palette_names()[static_cast<std::size_t>(palette)]);
        CAPTURE(static_cast<int>(depth));
        CAPTURE(i);
        CHECK((i <= top ? all[i] > all[i - 1] : all[i] < all[i - 1]));
      }
    }
  }
}

TEST_CASE("palette: the 256-colour ramps of cividis and viridis are the checked ones") {
  const auto back = [](Palette palette, double at) {
    return heat_color(palette, ColorDepth::Ansi256, at).back;
  };
  const int cividis[] = {17, 23, 59, 95, 102, 144, 185, 221};
  const int viridis[] = {53, 59, 61, 30, 36, 77, 149, 220};
  for (int i = 0; i < 8; ++i) {
    const double at = (i + 0.5) / 8.0;
    CHECK(back(Palette::Cividis, at) == "48;5;" + std::to_string(cividis[i]));
    CHECK(back(Palette::Viridis, at) == "48;5;" + std::to_string(viridis[i]));
  }
  CHECK(back(Palette::Cividis, 1.0) == "48;5;221");
  CHECK(back(Palette::Cividis, 7.0) == "48;5;221");
  CHECK(back(Palette::Cividis, -7.0) == "48;5;17");
}

TEST_CASE("palette: how each depth writes a cell") {
  const auto codes = [](ColorDepth depth) {
    const HeatColor color = heat_color(Palette::Cividis, depth, 1.0);
    return color.back + " " + color.front;
  };
  CHECK(codes(ColorDepth::Ansi16) == "107 30");
  CHECK(codes(ColorDepth::Ansi256) == "48;5;221 38;5;16");
  CHECK(codes(ColorDepth::TrueColor) == "48;2;254;232;56 38;2;0;0;0");
  CHECK(heat_color(Palette::Cividis, ColorDepth::Ansi16, 0.3).back == "44");
  CHECK(heat_color(Palette::Cividis, ColorDepth::Ansi16, 1.0).ink == "97");
}

TEST_CASE("palette: names are read back, others suggest the nearest") {
  CHECK(parse_palette("gray") == Palette::Gray);
  CHECK(parse_color_depth("256") == ColorDepth::Ansi256);
  CHECK_THROWS_WITH_AS(parse_palette("virdis"),
                       (no_such("palette", "virdis") + did_you_mean({"viridis"})).c_str(), Error);
}

TEST_CASE("styled: colours add escapes and nothing else, and no trailing spaces") {
  StyledLine line(Ruler{});
  line.add("A", kBold).add_right("0.5", 6, {.kind = Paint::Kind::Heat, .at = 0.5});
  line.add_left("猫", 4, kDim).add("   ");
  CHECK(line.width() == 14);
  CHECK(line.text(ColorDepth::None) == "A   0.5猫\n");
  const std::string colored = line.text(ColorDepth::Ansi256);
  CHECK(colored == "\x1b[1mA\x1b[0m   \x1b[48;5;102;38;5;16m0.5\x1b[0m\x1b[2m猫\x1b[0m\n");
  CHECK(without_colors(colored) == line.text(ColorDepth::None));
}

TEST_CASE("styled: spaces at the end of a line stay where they have a background") {
  StyledLine line(Ruler{});
  line.add(" 0 ", {.kind = Paint::Kind::Heat, .at = 0.5}).add("  ");
  CHECK(line.text(ColorDepth::None) == " 0\n");
  CHECK(line.text(ColorDepth::Ansi256) == "\x1b[48;5;102;38;5;16m 0 \x1b[0m\n");
}

TEST_CASE("styled: neighbours whose colours are the same at this depth share their escapes") {
  const auto half = [](double at) { return Paint{.kind = Paint::Kind::Ink, .at = at}; };
  StyledLine line{Ruler{}};
  line.add("a", half(0.50)).add("b", half(0.50)).add("c", half(0.51)).add("d", half(0.9)).add("e ");
  CHECK(line.text(ColorDepth::Ansi256) == "\x1b[38;5;102mabc\x1b[0m\x1b[38;5;221md\x1b[0me\n");
  const std::string many = line.text(ColorDepth::TrueColor);
  CHECK(many.find("ab\x1b[0m\x1b[38;2;") != std::string::npos);
  CHECK(without_colors(many) == "abcde\n");
  CHECK(line.width() == 6);
}
