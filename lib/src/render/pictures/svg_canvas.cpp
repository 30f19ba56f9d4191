// Writes the elements of an SVG picture.
#include "render/pictures/svg_canvas.hpp"

#include <algorithm>

#include "attn/render/text.hpp"
#include "render/page/html_text.hpp"
#include "render/terminal/width.hpp"

namespace attn {
namespace {

std::string svg_attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + std::string(value) + "\"";
}
std::string svg_attribute(const char* name, Units value) {
  return svg_attribute(name, std::to_string(value));
}

std::string reference(char32_t code) {
  std::string digits;
  for (; code != 0; code /= 16) digits.insert(digits.begin(), "0123456789abcdef"[code % 16]);
  return "&#x" + digits + ";";
}

std::string attributes_of(const Ink& ink, Units x, Units y) {
  std::string all;
  if (ink.anchor != Anchor::Middle)
    all += svg_attribute("text-anchor", ink.anchor == Anchor::Start ? "start" : "end");
  if (std::string_view(ink.color) != "#000") all += svg_attribute("fill", ink.color);
  if (ink.size != kFont) all += svg_attribute("font-size", ink.size);
  if (ink.bold) all += svg_attribute("font-weight", "bold");
  if (ink.upwards)
    all += svg_attribute("transform",
                         "rotate(-90 " + std::to_string(x) + " " + std::to_string(y) + ")");
  return all;
}

}  // namespace

Units text_units(std::string_view text) { return kGlyph * display_width(visible(text)); }

std::string xml_text(std::string_view text, bool ascii) {
  const std::string safe = html_text(text);
  if (!ascii) return safe;
  std::string_view rest = safe;
  std::string result;
  while (!rest.empty()) {
    const CodePoint next = decode(rest);
    if (next.code < 0x80) {
      result += rest.front();
    } else {
      result += reference(next.code);
    }
    rest.remove_prefix(next.bytes);
  }
  return result;
}

void SvgCanvas::text(Units x, Units y, std::string_view text, const Ink& ink) {
  cut_text(x, y, text, text, ink);
}

void SvgCanvas::cut_text(Units x, Units y, std::string_view text, std::string_view whole,
                         const Ink& ink) {
  const Units baseline = y + ink.size * 7 / 20;  // half of the height of a capital
  body_ += "<text" + svg_attribute("x", x) + svg_attribute("y", baseline) +
           attributes_of(ink, x, y) + ">" + xml_text(text, ascii_);
  if (whole != text) body_ += "<title>" + xml_text(whole, ascii_) + "</title>";
  body_ += "</text>\n";
}

void SvgCanvas::box(Units x, Units y, Units width, Units height, const std::string& color) {
  body_ += "<rect" + svg_attribute("x", x) + svg_attribute("y", y) + svg_attribute("width", width) +
           svg_attribute("height", height) + svg_attribute("fill", color) + "/>\n";
}

void SvgCanvas::slash(Units x, Units y, Units width, Units height) {
  const Units size = height * 2 / 5;  // of a slash in the middle
  strokes_ += "M" + std::to_string(x + (width - size) / 2) + " " +
              std::to_string(y + (height + size) / 2) + "l" + std::to_string(size) + "-" +
              std::to_string(size);
}

/// Line ends are the only control characters that stay.
std::string SvgCanvas::lines_of(std::string_view text) const {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += xml_text(text.substr(0, end), ascii_) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string SvgCanvas::file(Units width, Units height, std::string_view title,
                            std::string_view description, bool in_page) const {
  const std::string size = std::to_string(width) + " " + std::to_string(height);
  std::string out = R"(<svg xmlns="http://www.w3.org/2000/svg" role="img")" +
                    svg_attribute("viewBox", "0 0 " + size) + svg_attribute("width", width) +
                    svg_attribute("height", height) + svg_attribute("font-family", "monospace") +
                    svg_attribute("font-size", kFont) + svg_attribute("text-anchor", "middle") +
                    svg_attribute("xml:space", "preserve") +
                    (in_page ? "" : svg_attribute("style", "white-space:pre")) + ">\n";
  out += "<title>" + xml_text(title, ascii_) + "</title>\n";
  out += "<desc>" + lines_of(description) + "</desc>\n";
  out += "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + body_;
  if (!strokes_.empty())
    out += "<path" + svg_attribute("d", strokes_) + " stroke=\"#767676\" stroke-width=\"2\"/>\n";
  return out + "</svg>\n";
}

}  // namespace attn
