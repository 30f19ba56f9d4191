// Draws one matrix of an SVG picture: labels around cells.
#include "render/pictures/svg_panel.hpp"

#include <algorithm>

#include "render/terminal/palette.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

constexpr Units kLine = 40, kSmall = 24;  // height of a cell with a number, and without
constexpr Units kCaption = 32, kGap = 10;
constexpr std::ptrdiff_t kMostLabel = 12;

Units widest_units(const std::vector<std::string>& texts) {
  return kGlyph * widest(texts, Ruler{});
}

}  // namespace

const char* svg_sign(HeatMark mark) {
  constexpr const char* kSigns[] = {"", "", "-", "+", "nan"};
  return kSigns[static_cast<std::size_t>(mark)];
}

std::string svg_cell_text(const HeatPanel& panel, std::size_t at, const SvgStyle& style) {
  const HeatMark mark = panel.places[at].mark;
  if (mark == HeatMark::Hidden) return "";
  if (!style.numbers || mark == HeatMark::NotANumber) return svg_sign(mark);
  if (!panel.words.empty()) return cut(panel.words[at], kMostLabel, ellipsis(false));
  return format_number(panel.grid.numbers[at], style.format) + svg_sign(mark);
}

std::string SvgColors::fill(double at) const {
  const Rgb color = heat_color(palette, ColorDepth::TrueColor, low + at * (high - low)).background;
  std::string text = "#";
  for (const unsigned part : {color.red, color.green, color.blue}) {
    text += "0123456789abcdef"[part / 16];
    text += "0123456789abcdef"[part % 16];
  }
  return text;
}

const char* SvgColors::text(double at) const {
  const bool black = heat_color(palette, ColorDepth::TrueColor, low + at * (high - low)).black_text;
  return black ? "#000" : "#fff";
}

SvgPanel::SvgPanel(const HeatPanel& panel, const SvgStyle& style)
    : panel_(panel),
      style_(style),
      rows_(axis_labels(panel.grid.row_labels, panel.grid.row_tokens, kMostLabel, {})),
      cols_(axis_labels(panel.grid.col_labels, panel.grid.col_tokens, kMostLabel, {})),
      cell_(kSmall),
      line_(kSmall) {
  if (!style.numbers) return;
  line_ = kLine;
  Units most = widest_units(cols_);
  for (std::size_t at = 0; at < panel.places.size(); ++at)
    most = std::max(most, text_units(svg_cell_text(panel, at, style)));
  cell_ = most + 2 * kGap;
}

Units SvgPanel::grid_left() const {
  return std::max(widest_units(rows_), text_units(panel_.grid.row_title)) + kGap;
}

Units SvgPanel::grid_top() const {
  const bool above = !panel_.grid.caption.empty() || !panel_.grid.col_title.empty();
  return (above ? kCaption : 0) + (style_.numbers ? kCaption : widest_units(cols_) + 2 * kGap);
}

Units SvgPanel::width() const {
  const Units cells = grid_left() + cell_ * std::ssize(cols_);
  return std::max(cells, text_units(panel_.grid.caption + "  " + panel_.grid.col_title + " →"));
}

Units SvgPanel::height() const { return grid_top() + line_ * std::ssize(rows_); }

void SvgPanel::draw(SvgCanvas& canvas, Units left, Units top) const {
  draw_labels(canvas, left, top);
  for (std::size_t r = 0; r < rows_.size(); ++r)
    draw_row(canvas, r, left + grid_left(), top + grid_top() + line_ * static_cast<Units>(r));
}

void SvgPanel::draw_labels(SvgCanvas& canvas, Units left, Units top) const {
  const Grid& grid = panel_.grid;
  const Units cells = left + grid_left(), below = top + grid_top();
  if (!grid.caption.empty())
    canvas.text(left, top + kCaption / 2, grid.caption, {.anchor = Anchor::Start, .bold = true});
  if (!grid.col_title.empty())
    canvas.text(left + width(), top + kCaption / 2, grid.col_title + " →",
                {.color = kMuted, .anchor = Anchor::End});
  const Units header = below - kCaption / 2;
  if (!grid.row_title.empty())
    canvas.text(cells - kGap, header, grid.row_title, {.color = kMuted, .anchor = Anchor::End});
  const auto all_rows = axis_labels(grid.row_labels, grid.row_tokens, kUncut, {});
  const auto all_cols = axis_labels(grid.col_labels, grid.col_tokens, kUncut, {});
  for (std::size_t r = 0; r < rows_.size(); ++r)
    canvas.cut_text(cells - kGap, below + line_ * static_cast<Units>(r) + line_ / 2, rows_[r],
                    all_rows[r], {.anchor = Anchor::End});
  for (std::size_t c = 0; c < cols_.size(); ++c) {
    const Units x = cells + cell_ * static_cast<Units>(c) + cell_ / 2;
    if (style_.numbers) {
      canvas.cut_text(x, header, cols_[c], all_cols[c], {});
    } else {
      canvas.cut_text(x, below - kGap, cols_[c], all_cols[c],
                      {.anchor = Anchor::Start, .upwards = true});
    }
  }
}

void SvgPanel::draw_row(SvgCanvas& canvas, std::size_t row, Units left, Units top) const {
  const std::size_t first = row * cols_.size();
  for (std::size_t c = 0; c < cols_.size(); ++c)
    draw_cell(canvas, first + c, left + cell_ * static_cast<Units>(c), top);
}

void SvgPanel::draw_cell(SvgCanvas& canvas, std::size_t at, Units x, Units y) const {
  const HeatPlace& place = panel_.places[at];
  const Units edge = style_.numbers ? 1 : 0;  // white lines between cells with numbers
  const Units width = cell_ - 2 * edge, height = line_ - 2 * edge;
  if (place.mark == HeatMark::Hidden) return canvas.slash(x + edge, y + edge, width, height);
  const bool colored = place.mark != HeatMark::NotANumber;
  canvas.box(x + edge, y + edge, width, height, colored ? style_.colors.fill(place.at) : "#fff");
  const std::string text = svg_cell_text(panel_, at, style_);
  if (text.empty()) return;
  const std::string whole =
      panel_.words.empty()
          ? text
          : panel_.words[at] + " " + format_number(panel_.grid.numbers[at], style_.format);
  canvas.cut_text(x + cell_ / 2, y + line_ / 2, text, whole,
                  {.color = colored ? style_.colors.text(place.at) : "#000"});
}

}  // namespace attn
