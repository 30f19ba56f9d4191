// Draws all heads of all layers as small pictures in an SVG file.
#include <algorithm>
#include <string>
#include <vector>

#include "attn/render/heatmap.hpp"
#include "render/pictures/svg_canvas.hpp"
#include "render/pictures/svg_panel.hpp"
#include "render/pictures/thumbnails.hpp"

namespace attn {
namespace {

constexpr Units kEdge = 24, kApart = 12, kRow = 28;
constexpr Units kLargest = 96;   // width and height of a picture
constexpr Index kMostDots = 24;  // in a row or column of a picture; half as many for a large model
constexpr Index kManyHeads = 32;
constexpr const char* kNoColor = "#fff";

class SvgOverview {
 public:
  SvgOverview(const Trace& trace, const View& view, const HeatLook& look, const TextStyle& style)
      : trace_(trace), view_(view), look_(look), style_(style), canvas_(style.ascii) {
    if (look.palette) colors_ = {*look.palette, 0.0, 1.0};
  }

  std::string text(bool in_page) {
    const std::string title = trace_.title.empty() ? "All heads" : trace_.title;
    write(kEdge, title, {.bold = true});
    y_ += kRow;
    const std::vector<KindOfHeads> kinds = kinds_of(trace_, view_);
    Index heads = 0;
    for (const KindOfHeads& kind : kinds) {
      for (const Step* step : kind.weights) heads += step->value.heads();
    }
    if (heads > kManyHeads) most_dots_ = kMostDots / 2;
    for (const KindOfHeads& kind : kinds) add(kind);
    y_ += kApart;
    add_legend();
    write(kEdge, "queries from top to bottom, keys from left to right", {.color = kMuted});
    TextStyle lines = style_;
    lines.layout = Layout::Lines;
    return canvas_.file(right_ + kEdge, y_ + kRow + kEdge, title,
                        write_overview(trace_, view_, look_, lines), in_page);
  }

 private:
  void write(Units x, const std::string& text, Ink ink) {
    ink.anchor = Anchor::Start;
    canvas_.text(x, y_ + kRow / 2, text, ink);
    right_ = std::max(right_, x + text_units(text));
  }

  void add(const KindOfHeads& kind) {
    y_ += kApart;
    write(kEdge, kind.name, {});
    y_ += kRow;
    const Tensor& first = kind.weights.front()->value;
    const bool layers = place_of(*kind.weights.front()->scope).layer.has_value();
    const Units left = kEdge + (layers ? text_units("layer 00") + kApart : 0);
    if (first.shape().heads) add_head_names(left, first.heads());
    for (const Step* step : kind.weights) {
      if (layers)
        write(kEdge, "layer " + std::to_string(*place_of(*step->scope).layer), {.color = kMuted});
      Units x = left, height = 0;
      const HiddenCells hidden(trace_, *step->scope);
      for (Index h = 0; h < step->value.heads(); ++h) {
        if (view_.head && h != *view_.head) continue;
        height = std::max(height, draw(*step, hidden, h, x));
        x += kLargest + kApart;
      }
      y_ += height + kApart;
      right_ = std::max(right_, x - kApart);
    }
  }

  void add_head_names(Units left, Index heads) {
    Units x = left;
    for (Index h = 0; h < heads; ++h) {
      if (view_.head && h != *view_.head) continue;
      write(x, "head " + std::to_string(h), {.color = kMuted});
      x += kLargest + kApart;
    }
    y_ += kRow;
  }

  /// Returns how high the picture is.
  Units draw(const Step& step, const HiddenCells& hidden, Index head, Units x) {
    const Index rows = std::min(step.value.rows(), most_dots_);
    const Index cols = std::min(step.value.cols(), most_dots_);
    const Units dot = kLargest / std::max(rows, cols);
    const HeatPanel small =
        thumbnail(step, hidden, {view_.batch.value_or(0), head, 0, 0}, rows, cols);
    for (Index r = 0; r < rows; ++r) draw_row(small, r * cols, cols, x, y_ + r * dot, dot);
    return rows * dot;
  }

  std::string color(const HeatPlace& place) const {
    constexpr int kColors = 32;  // so that many neighbours are alike
    const int step = static_cast<int>(place.at * (kColors - 1) + 0.5);
    return place.mark == HeatMark::None ? colors_.fill(step / (kColors - 1.0)) : kNoColor;
  }

  /// Neighbours of one colour are one box.
  void draw_row(const HeatPanel& small, Index first, Index cols, Units x, Units y, Units dot) {
    Index from = 0;
    for (Index c = 1; c <= cols; ++c) {
      const std::string now = color(small.places[static_cast<std::size_t>(first + from)]);
      if (c < cols && color(small.places[static_cast<std::size_t>(first + c)]) == now) continue;
      canvas_.box(x + from * dot, y, (c - from) * dot, dot, now);
      from = c;
    }
  }

  void add_legend() {
    constexpr int kBoxes = 16;
    constexpr Units kWide = 12;
    Units x = kEdge;
    const auto word = [&](const std::string& text) {
      write(x, text, {});
      x += text_units(text) + kGlyph;
    };
    const auto box = [&](const std::string& fill) {
      canvas_.box(x, y_ + (kRow - kFont) / 2, kWide, kFont, fill);
      x += kWide;
    };
    word("0");
    for (int i = 0; i < kBoxes; ++i) box(colors_.fill((i + 0.5) / kBoxes));
    x += kGlyph;
    word("1  share of the query");
    x += kGlyph;
    word("white: hidden");
    y_ += kRow;
  }

  const Trace& trace_;
  const View& view_;
  const HeatLook& look_;
  const TextStyle& style_;
  SvgColors colors_;
  SvgCanvas canvas_;
  Index most_dots_ = kMostDots;
  Units y_ = kEdge, right_ = 0;
};

}  // namespace

std::string write_svg_overview(const Trace& trace, const View& view, const HeatLook& look,
                               const TextStyle& style) {
  return SvgOverview(trace, view, look, style).text(false);
}

std::string page_overview(const Trace& trace, const View& view) {
  return SvgOverview(trace, view, {}, {}).text(true);
}

}  // namespace attn
