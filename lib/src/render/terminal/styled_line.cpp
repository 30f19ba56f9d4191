// Puts a line together and writes it with or without colours.
#include "render/terminal/styled_line.hpp"

#include <algorithm>
#include <utility>

#include "render/terminal/palette.hpp"

namespace attn {
namespace {

constexpr const char* kReset = "\x1b[0m";

/// The parameters of the escape sequence before a piece; none for plain text.
std::string codes(const Paint& paint, ColorDepth depth) {
  using Kind = Paint::Kind;
  if (paint.kind == Kind::Plain) return "";
  if (paint.kind == Kind::Bold) return "1";
  if (paint.kind == Kind::Dim) return "2";
  const HeatColor color = heat_color(paint.palette, depth, paint.at);
  if (paint.kind == Kind::Ink) return color.ink;
  if (paint.kind == Kind::Heat) return color.back + ";" + color.front;
  if (paint.kind == Kind::Fill) return color.back + ";" + color.ink;
  return heat_color(paint.palette, depth, paint.below).back + ";" + color.ink;
}

/// Whether blanks in that paint can be seen.
bool has_background(const Paint& paint) {
  return paint.kind == Paint::Kind::Heat || paint.kind == Paint::Kind::Fill;
}

}  // namespace

StyledLine& StyledLine::add(std::string_view text, const Paint& paint) {
  if (!text.empty()) next(paint) += text;
  return *this;
}

std::string& StyledLine::next(const Paint& paint) {
  const bool apart = paint.kind == Paint::Kind::Heat;
  if (apart || pieces_.empty() || pieces_.back().paint != paint) pieces_.push_back({{}, paint});
  return pieces_.back().text;
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
  std::size_t count = pieces_.size(), last = 0;  // pieces, and bytes of the last one
  while (count > 0) {
    last = pieces_[count - 1].text.size();
    if (depth != ColorDepth::None && has_background(pieces_[count - 1].paint)) break;
    last = pieces_[count - 1].text.find_last_not_of(' ') + 1;
    if (last > 0) break;
    --count;
  }
  std::string text, open;  // the codes of what comes last
  for (std::size_t i = 0; i < count; ++i) {
    std::string code = depth == ColorDepth::None ? "" : codes(pieces_[i].paint, depth);
    const bool cell = pieces_[i].paint.kind == Paint::Kind::Heat;  // reset after each number
    if (code != open || cell) {
      if (!open.empty()) text += kReset;
      if (!code.empty()) text.append("\x1b[").append(code).append("m");
      open = std::move(code);
    }
    text.append(pieces_[i].text, 0, i + 1 == count ? last : std::string::npos);
  }
  if (!open.empty()) text += kReset;
  return text + "\n";
}

}  // namespace attn
