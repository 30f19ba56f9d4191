// One line of coloured text that is measured without its colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "attn/render/color.hpp"
#include "attn/render/text.hpp"

namespace attn {

/// How a piece of a line looks in colour. The letters are the same without it.
struct Paint {
  enum class Kind {
    Plain,
    Bold,
    Dim,
    Heat,    ///< text on the colour of `at`
    Fill,    ///< only the colour of `at`, which also hides the text
    Ink,     ///< text in the colour of `at`, no background
    Halves,  ///< an upper half block: `at` above, `below` beneath
  };
  Kind kind = Kind::Plain;
  double at = 0.0, below = 0.0;  ///< 0 … 1 on the palette
  Palette palette = Palette::Cividis;

  bool operator==(const Paint&) const = default;
};

inline constexpr Paint kPlain{};
inline constexpr Paint kBold{.kind = Paint::Kind::Bold};
inline constexpr Paint kDim{.kind = Paint::Kind::Dim};

/// One line of text, built from pieces. Widths are measured without colours, so colours change
/// nothing else in a line.
class StyledLine {
 public:
  explicit StyledLine(const Ruler& ruler) : ruler_(ruler) {}

  StyledLine& add(std::string_view text, const Paint& paint = kPlain);
  StyledLine& add(const StyledLine& line);
  /// `text` at the right (left) end of a field of `width` cells; only the text is painted.
  StyledLine& add_right(const std::string& text, std::ptrdiff_t width, const Paint& paint = kPlain);
  StyledLine& add_left(const std::string& text, std::ptrdiff_t width, const Paint& paint = kPlain);

  /// The text of the next piece in that paint, to which the caller appends at least one character.
  std::string& next(const Paint& paint);

  std::ptrdiff_t width() const;

  /// The line without trailing spaces, except those with a background, ended by "\n". A reset
  /// comes after each painted piece, and after each number; neighbours with the same colours are
  /// one piece.
  std::string text(ColorDepth depth) const;

 private:
  struct Piece {
    std::string text;
    Paint paint;
  };
  Ruler ruler_;
  std::vector<Piece> pieces_;
};

}  // namespace attn
