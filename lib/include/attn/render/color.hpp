// Palettes and colour depths by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

/// How many colours a terminal can show.
enum class ColorDepth {
  None,       ///< no escape sequences at all
  Ansi16,     ///< the sixteen named colours
  Ansi256,    ///< the fixed palette of 256
  TrueColor,  ///< any red, green and blue
};

/// The colours of heat cells. Luminance rises strictly from the first colour to the last; in the
/// diverging palette it rises to the middle, which is 0, and falls after it.
enum class Palette { Cividis, Viridis, Gray, BlueOrange };

/// Throws Error (usage, id "unknown-value"), which lists the words.
Palette parse_palette(std::string_view text);
ColorDepth parse_color_depth(std::string_view text);

/// "cividis", "viridis", "gray", "blue-orange", the default first.
std::vector<std::string> palette_names();
/// "16", "256", "truecolor".
std::vector<std::string> color_depth_names();

}  // namespace attn
