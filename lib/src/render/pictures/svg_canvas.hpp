// The elements of an SVG picture: boxes, lines, and text measured in cells of a monospace font.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace attn {

using Units = std::ptrdiff_t;

inline constexpr Units kFont = 20;   ///< size of all text but the formula
inline constexpr Units kGlyph = 12;  ///< width of a character: 0.6 of the size, 1 cell of a Ruler

/// How wide text is at that size.
Units text_units(std::string_view text);

/// Text for XML, also inside attributes in double quotes. Everything that could change the
/// direction of text or be invisible is made visible; `ascii`: all but ASCII as "&#x732b;".
std::string xml_text(std::string_view text, bool ascii);

/// The colour of words that are less important.
inline constexpr const char* kMuted = "#595959";

enum class Anchor { Start, Middle, End };

/// How text looks; every colour has a contrast of at least 4.5 against what is behind it.
struct Ink {
  const char* color = "#000";
  Anchor anchor = Anchor::Middle;
  Units size = kFont;
  bool bold = false;
  bool upwards = false;  ///< turned by 90°
};

/// Collects elements. `y` of text is the middle of its line.
class SvgCanvas {
 public:
  explicit SvgCanvas(bool ascii) : ascii_(ascii) {}

  void text(Units x, Units y, std::string_view text, const Ink& ink);
  /// The same, with the whole text for those who point at it.
  void cut_text(Units x, Units y, std::string_view text, std::string_view whole, const Ink& ink);
  void box(Units x, Units y, Units width, Units height, const std::string& color);
  /// The sign of a hidden cell, in the middle of its box.
  void slash(Units x, Units y, Units width, Units height);

  /// The picture as a file; its description may have several lines. Inside a page, whose style says
  /// how text looks, it has no style of its own.
  std::string file(Units width, Units height, std::string_view title, std::string_view description,
                   bool in_page = false) const;

 private:
  std::string lines_of(std::string_view text) const;

  bool ascii_;
  std::string body_, strokes_;
};

}  // namespace attn
