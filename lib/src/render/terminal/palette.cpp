// The colours of heat cells at every depth that terminals have.
#include "render/terminal/palette.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "attn/suggest.hpp"

namespace attn {
namespace {

/// One row: a palette at every depth.
struct Row {
  Palette palette;
  const char* name;
  std::vector<int> points;   ///< true colour, as 0xRRGGBB: mixed in equal steps
  std::vector<int> cube;     ///< numbers of the 256 colours
  std::vector<int> sixteen;  ///< numbers of the 16 colours
};

// Points of cividis (Nuñez, Anderton and Renslow 2018) and viridis (Smith and van der Walt 2015).
// Of the 16 colours, a palette has some whose luminance rises (in blue-orange, to the middle, and
// then falls) both in xterm and on the Linux console.
const std::array kRows{
    Row{Palette::Cividis,
        "cividis",
        {0x00224E, 0x002E6A, 0x1A386F, 0x32436D, 0x434E6C, 0x535A6D, 0x61656F, 0x6F7073, 0x7C7C78,
         0x8B8778, 0x9A9376, 0xAAA073, 0xBBAD6D, 0xCCBA64, 0xDDC858, 0xEFD748, 0xFEE838},
        {17, 23, 59, 95, 102, 144, 185, 221},
        {0, 4, 6, 7, 15}},
    Row{Palette::Viridis,
        "viridis",
        {0x440154, 0x48186A, 0x472D7B, 0x424086, 0x3B528B, 0x33638D, 0x2C728E, 0x26828E, 0x21908C,
         0x1F9F88, 0x27AD81, 0x3EBC74, 0x5CC863, 0x82D34D, 0xAADC32, 0xD5E21A, 0xFDE725},
        {53, 59, 61, 30, 36, 77, 149, 220},
        {0, 4, 6, 7, 15}},
    Row{Palette::Gray,
        "gray",
        {0x181818, 0xF8F8F8},
        {232, 235, 238, 241, 245, 248, 252, 255},
        {0, 7, 15}},
    Row{Palette::BlueOrange,
        "blue-orange",
        {0x003C64, 0x146496, 0x4691C3, 0x91C3E1, 0xEEEEEE, 0xFAC88C, 0xE69646, 0xBE6414, 0x823C00},
        {24, 31, 74, 117, 153, 255, 223, 180, 173, 130, 94},
        {4, 6, 15, 11, 1}}};

const Row& row_of(Palette palette) {
  return *std::find_if(kRows.begin(), kRows.end(),
                       [&](const Row& row) { return row.palette == palette; });
}

Rgb rgb(int code) {
  const auto byte = [&](int shift) { return static_cast<std::uint8_t>(code >> shift & 0xFF); };
  return {byte(16), byte(8), byte(0)};
}

/// What xterm shows for a number of its palette.
Rgb xterm_color(int number) {
  constexpr std::array kFirst{0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD,
                              0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
                              0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
  const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
  if (number < 16) return rgb(kFirst[static_cast<std::size_t>(number)]);
  if (number >= 232) {
    const std::uint8_t gray = byte(8 + 10 * (number - 232));
    return {gray, gray, gray};
  }
  const auto level = [&](int step) { return byte(step == 0 ? 0 : 55 + 40 * step); };
  const int cube = number - 16;
  return {level(cube / 36), level(cube / 6 % 6), level(cube % 6)};
}

/// Mixed between the two nearest points.
Rgb mixed(const std::vector<int>& points, double at) {
  const double place = at * static_cast<double>(points.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(place), points.size() - 2);
  const double part = place - static_cast<double>(first);
  const auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * part));
  };
  const Rgb a = rgb(points[first]), b = rgb(points[first + 1]);
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

int nearest(const std::vector<int>& numbers, double at) {
  const auto n = static_cast<double>(numbers.size());
  return numbers[static_cast<std::size_t>(std::min(n - 1.0, std::floor(at * n)))];
}

std::string rgb_code(const char* layer, Rgb c) {
  return std::string(layer) + ";2;" + std::to_string(c.red) + ";" + std::to_string(c.green) + ";" +
         std::to_string(c.blue);
}

/// 30 to 37 and 90 to 97 for text; ten more for its background.
std::string ansi16_code(int number, bool behind) {
  return std::to_string((number < 8 ? 30 : 82) + number + (behind ? 10 : 0));
}

/// The parameters for a colour by its number, for the background or for the text.
std::string number_code(ColorDepth depth, int number, bool behind) {
  if (depth == ColorDepth::Ansi16) return ansi16_code(number, behind);
  return (behind ? "48;5;" : "38;5;") + std::to_string(number);
}

std::string letter_code(ColorDepth depth, bool black) {
  if (depth == ColorDepth::TrueColor)
    return rgb_code("38", black ? Rgb{0, 0, 0} : Rgb{255, 255, 255});
  const bool few = depth == ColorDepth::Ansi16;
  return number_code(depth, black ? (few ? 0 : 16) : (few ? 15 : 231), false);
}

Error unknown(const std::string& kind, std::string_view text,
              const std::vector<std::string>& names) {
  return {ErrorKind::Usage,
          {{.id = "unknown-value",
            .what = "there is no " + kind + " \"" + std::string(text) + "\"" +
                    did_you_mean(text, names),
            .fix = "Choose one of " + listed(names) + "."}}};
}

}  // namespace

double luminance(Rgb color) {
  const auto linear = [](std::uint8_t byte) {
    const double c = byte / 255.0;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
}

HeatColor heat_color(Palette palette, ColorDepth depth, double at) {
  assert(!std::isnan(at));
  at = std::clamp(at, 0.0, 1.0);
  const Row& row = row_of(palette);
  HeatColor heat;
  if (depth == ColorDepth::TrueColor) {
    heat.background = mixed(row.points, at);
    heat.back = rgb_code("48", heat.background);
    heat.ink = rgb_code("38", heat.background);
  } else {
    const int number = nearest(depth == ColorDepth::Ansi16 ? row.sixteen : row.cube, at);
    heat.background = xterm_color(number);
    heat.back = number_code(depth, number, true);
    heat.ink = number_code(depth, number, false);
  }
  heat.black_text = luminance(heat.background) > 0.179;
  heat.front = letter_code(depth, heat.black_text);
  return heat;
}

Palette parse_palette(std::string_view text) {
  for (const Row& row : kRows) {
    if (text == row.name) return row.palette;
  }
  throw unknown("palette", text, palette_names());
}

std::vector<std::string> palette_names() {
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(row.name);
  return names;
}

ColorDepth parse_color_depth(std::string_view text) {
  if (text == "16") return ColorDepth::Ansi16;
  if (text == "256") return ColorDepth::Ansi256;
  if (text == "truecolor") return ColorDepth::TrueColor;
  throw unknown("colour depth", text, color_depth_names());
}

std::vector<std::string> color_depth_names() { return {"16", "256", "truecolor"}; }

}  // namespace attn
