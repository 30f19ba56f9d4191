#include "render/styled.hpp"

#include <algorithm>
#include <utility>

#include "render/palette.hpp"

namespace attn {
namespace {

/// The parameters of the escape sequence in front of a piece; none for plain text.
std::string codes(const Paint& paint, ColorDepth depth) {
  switch (paint.kind) {
    case Paint::Kind::Plain:
      return "";
    case Paint::Kind::Bold:
      return "1";
    case Paint::Kind::Dim:
      return "2";
    case Paint::Kind::Heat: {
      const HeatColor color = heat_color(paint.palette, depth, paint.at);
      return color.back + ";" + color.front;
    }
    case Paint::Kind::Fill:
      return heat_color(paint.palette, depth, paint.at).back + ";" +
             heat_text_color(paint.palette, depth, paint.at);
    case Paint::Kind::Ink:
      return heat_text_color(paint.palette, depth, paint.at);
    case Paint::Kind::Halves:
      return heat_color(paint.palette, depth, paint.below).back + ";" +
             heat_text_color(paint.palette, depth, paint.at);
  }
  return "";
}

std::string spaces(std::ptrdiff_t count) {
  return std::string(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, count)), ' ');
}

}  // namespace

StyledLine& StyledLine::add(std::string text, const Paint& paint) {
  if (!text.empty()) pieces_.push_back({std::move(text), paint});
  return *this;
}

StyledLine& StyledLine::add(const StyledLine& line) {
  pieces_.insert(pieces_.end(), line.pieces_.begin(), line.pieces_.end());
  return *this;
}

StyledLine& StyledLine::add_right(const std::string& text, std::ptrdiff_t width,
                                  const Paint& paint) {
  return add(spaces(width - ruler_.width(text))).add(text, paint);
}

StyledLine& StyledLine::add_left(const std::string& text, std::ptrdiff_t width,
                                 const Paint& paint) {
  return add(text, paint).add(spaces(width - ruler_.width(text)));
}

std::ptrdiff_t StyledLine::width() const {
  std::ptrdiff_t width = 0;
  for (const Piece& piece : pieces_) width += ruler_.width(piece.text);
  return width;
}

std::string StyledLine::text(ColorDepth depth) const {
  std::vector<Piece> pieces = pieces_;
  while (!pieces.empty()) {
    std::string& last = pieces.back().text;
    last.erase(last.find_last_not_of(' ') + 1);
    if (!last.empty()) break;
    pieces.pop_back();
  }
  std::string text;
  for (const Piece& piece : pieces) {
    const std::string code = depth == ColorDepth::None ? "" : codes(piece.paint, depth);
    text += code.empty() ? piece.text : "\x1b[" + code + "m" + piece.text + "\x1b[0m";
  }
  return text + "\n";
}

std::string without_colors(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const bool escape = text.substr(at, 2) == "\x1b[";
    const std::size_t end = escape ? text.find('m', at) : at;
    if (!escape) plain += text[at];
    at = end == text.npos ? text.size() : end + 1;
  }
  return plain;
}

}  // namespace attn
