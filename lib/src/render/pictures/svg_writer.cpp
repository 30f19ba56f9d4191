// Draws a heat map as an SVG picture: formula, panels, legend.
#include <algorithm>
#include <vector>

#include "attn/render/heatmap.hpp"
#include "render/pictures/heatmap_legend.hpp"
#include "render/pictures/svg_panel.hpp"
#include "render/terminal/grid_layout.hpp"

namespace attn {
namespace {

constexpr Units kMargin = 24, kBetween = 40, kLineHeight = 28;
constexpr Units kFormula = 24;  // size of its letters
constexpr Units kBox = 12;      // width of a box of the palette
constexpr int kBoxes = 16;
constexpr std::size_t kInRow = 4;         // panels side by side
constexpr std::size_t kMostNumbers = 32;  // rows and columns of a matrix with numbers
constexpr std::size_t kMostWords = 256;   // with words, without which it would say little

bool fits_numbers(const HeatMap& map) {
  return std::all_of(map.panels.begin(), map.panels.end(), [](const HeatPanel& panel) {
    return std::max(panel.grid.row_labels.size(), panel.grid.col_labels.size()) <=
           (panel.words.empty() ? kMostNumbers : kMostWords);
  });
}

SvgStyle style_of(const HeatMap& map, const HeatLook& look, const TextStyle& text) {
  TextStyle plain;
  plain.notation = text.notation;
  std::vector<double> shown;
  for (const HeatPanel& panel : map.panels) {
    for (std::size_t i = 0; i < panel.places.size(); ++i)
      if (panel.places[i].mark != HeatMark::Hidden) shown.push_back(panel.grid.numbers[i]);
  }
  SvgColors colors;
  if (look.palette || map.diverging)
    colors = {look.palette.value_or(Palette::BlueOrange), 0.0, 1.0};
  return {colors, numbers_of(shown, {}, plain, look.precision).format,
          !look.compact && fits_numbers(map)};
}

class SvgWriter {
 public:
  SvgWriter(const HeatMap& map, const HeatLook& look, const TextStyle& text)
      : map_(map),
        look_(look),
        notation_(text.notation),
        style_(style_of(map, look, text)),
        canvas_(text.ascii) {}

  std::string text(bool in_page) {
    draw_heading();
    draw_panels();
    draw_legend();
    return canvas_.file(right_ + kMargin, y_ + kMargin, name(), description(), in_page);
  }

 private:
  void draw_text(Units x, std::string_view text, Ink ink) {
    ink.anchor = Anchor::Start;
    canvas_.text(x, y_ + kLineHeight / 2, text, ink);
    right_ = std::max(right_, x + text_units(text) * ink.size / kFont);
  }

  void draw_heading() {
    draw_text(kMargin, map_.heading.formula, {.size = kFormula, .bold = true});
    y_ += kLineHeight;
    std::string_view phrase = map_.heading.phrase;
    const std::string& id = map_.heading.id;
    if (phrase.starts_with(id + ": ")) {  // in a model: long, so it has a line of its own
      phrase.remove_prefix(id.size() + 2);
      draw_text(kMargin, id, {});
      y_ += kLineHeight;
    }
    draw_text(kMargin, phrase, {.color = kMuted});
    y_ += kLineHeight + kLineHeight / 4;
  }

  void draw_panels() {
    Units x = kMargin, height = 0;
    std::size_t in_row = 0;
    for (std::size_t p = 0; p < map_.panels.size(); ++p) {
      const SvgPanel panel(map_.panels[p], style_);
      const bool starts = p > 0 && begins_entry(map_.panels[p - 1].grid, map_.panels[p].grid);
      if (starts || in_row == kInRow) {
        y_ += height + kBetween;
        x = kMargin;
        in_row = 0;
        height = 0;
      }
      panel.draw(canvas_, x, y_);
      x += panel.width();
      right_ = std::max(right_, x);
      x += kBetween;
      height = std::max(height, panel.height());
      ++in_row;
    }
    y_ += height + kLineHeight / 2;
  }

  void draw_word(Units& x, std::string_view text) {
    draw_text(x, text, {});
    x += text_units(text) + kGlyph;
  }

  /// Some boxes of the palette.
  void draw_boxes(Units& x, int from, int to) {
    for (int i = from; i < to; ++i, x += kBox) {
      canvas_.box(x, y_ + (kLineHeight - kFont) / 2, kBox, kFont,
                  style_.colors.fill((i + 0.5) / kBoxes));
    }
    x += kGlyph;
  }

  void draw_ramp(Units& x) {
    const RampEnds ends = ramp_ends(map_);
    if (ends.alike) {
      draw_boxes(x, kBoxes / 2 - 1, kBoxes / 2 + 1);
    } else {
      draw_word(x, ends.low);
      draw_boxes(x, 0, map_.diverging ? kBoxes / 2 : kBoxes);
      if (map_.diverging) draw_word(x, "0");
      if (map_.diverging) draw_boxes(x, kBoxes / 2, kBoxes);
    }
    draw_word(x, ends.high);
  }

  void draw_legend() {
    Units x = kMargin;
    if (has_colors(map_)) draw_ramp(x);
    for (const MarkMeaning& each : meanings_of(map_)) {
      if (x > kMargin) x += 2 * kGlyph;
      if (each.mark == HeatMark::Hidden) {
        canvas_.slash(x, y_ + (kLineHeight - kFont) / 2, 2 * kBox, kFont);
        x += 2 * kBox + kGlyph;
      } else {
        draw_word(x, svg_sign(each.mark));
      }
      draw_word(x, each.meaning);
    }
    y_ += kLineHeight;
  }

  std::string name() const { return map_.heading.formula + ": " + map_.heading.phrase; }

  /// For those who cannot see the picture: the same in sentences, with the numbers that it shows.
  std::string description() const {
    HeatMap told = map_;
    if (!style_.numbers) told.panels.clear();
    return write_heatmap(told, look_, {.layout = Layout::Lines, .notation = notation_});
  }

  const HeatMap& map_;
  const HeatLook& look_;
  Notation notation_;
  SvgStyle style_;
  SvgCanvas canvas_;
  Units y_ = kMargin, right_ = 0;
};

}  // namespace

std::string write_svg(const HeatMap& map, const HeatLook& look, const TextStyle& style) {
  return SvgWriter(map, look, style).text(false);
}

std::string page_picture(const HeatMap& map) { return SvgWriter(map, {}, {}).text(true); }

}  // namespace attn
