// Colours of heat cells, and escape codes for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "attn/render/color.hpp"

namespace attn {

struct Rgb {
  std::uint8_t red = 0, green = 0, blue = 0;
};

/// Relative luminance, 0 (black) to 1 (white). WCAG 2.1.
double luminance(Rgb color);

/// A heat cell's colours: its background, and whether its text is black.
struct HeatColor {
  Rgb background;
  bool black_text = false;  ///< where luminance is above 0.179, so that contrast is at least 4.5
  std::string back, front;  ///< parameters of the escape sequence: "48;5;17", "38;5;231"
  std::string ink;  ///< the background's colour as a text colour, for text that need not be read
};

/// The colours for `at` in 0 … 1 (clamped). `depth` is not None.
HeatColor heat_color(Palette palette, ColorDepth depth, double at);

}  // namespace attn
