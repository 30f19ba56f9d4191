// Writes the palette and the signs of a heat map with their meaning.
#include "render/pictures/heatmap_legend.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/text/exact_number.hpp"

namespace attn {
namespace {

constexpr int kRampCells = 16;

/// How many cells there are of each HeatMark.
std::array<std::size_t, 5> counts_of(const HeatMap& map) {
  std::array<std::size_t, 5> counts{};
  for (const HeatPanel& panel : map.panels) {
    for (const HeatPlace& place : panel.places) ++counts[static_cast<std::size_t>(place.mark)];
  }
  return counts;
}

/// Exact if that is short: "1", "-2.5".
std::string end_text(double number) {
  const std::string exact = format_exact(number);
  return exact.size() <= 5 ? exact : short_number(number, 3);
}

/// "0 ░░░░▒▒▒▒▓▓▓▓████ 1"
StyledLine ramp(const HeatMap& map, const PanelStyle& style) {
  StyledLine line(style.text.ruler);
  const auto fill = [&](double at) {
    line.add(style.text.ruler.pad_right(place_sign(at, style), sign_width(style.text)),
             {.kind = Paint::Kind::Fill, .at = at, .palette = style.palette});
  };
  const bool own = map.normalize == Normalize::Row || map.normalize == Normalize::Column;
  if (!own && map.low == map.high) {
    fill(0.5);
    return line.add("  all " + end_text(map.high));
  }
  const std::string lowest =
      map.normalize == Normalize::Row ? "lowest of its row" : "lowest of its column";
  line.add(own ? lowest : end_text(map.low)).add(" ");
  for (int i = 0; i < kRampCells; ++i) {
    if (map.diverging && i == kRampCells / 2) line.add(" 0 ");
    fill((i + 0.5) / kRampCells);
  }
  return line.add(" ").add(own ? "highest" : end_text(map.high));
}

}  // namespace

Legend legend_of(const HeatMap& map, const PanelStyle& style, const CellForm& form,
                 std::ptrdiff_t room) {
  const std::array<std::size_t, 5> counts = counts_of(map);
  const auto count = [&](HeatMark mark) { return counts[static_cast<std::size_t>(mark)]; };
  Legend legend(style.text.ruler, room);
  if (count(HeatMark::None) + count(HeatMark::Below) + count(HeatMark::Above) > 0)
    legend.add(ramp(map, style));
  if (form.signs) {
    legend.add("-", "below 0");
    legend.add("+", "above 0");
  }
  const bool shares = !map.panels.empty() && map.panels.front().grid.shares;
  if (count(HeatMark::Hidden) > 0)
    legend.add(hidden_sign(style.text.ascii), shares ? "hidden: exactly 0" : "hidden");
  const auto add_counted = [&](HeatMark mark, const char* sign, const std::string& meaning) {
    if (count(mark) > 0) legend.add(sign, meaning + " (" + std::to_string(count(mark)) + ")");
  };
  add_counted(HeatMark::Below, "-", "below");
  add_counted(HeatMark::Above, form.signs ? "++" : "+", "above");
  add_counted(HeatMark::NotANumber, form.numbers ? "nan" : "?", "not a number");
  return legend;
}

std::string legend_hint(const HeatMap& map, const PanelStyle& style) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  for (const HeatPanel& panel : map.panels) {
    for (std::size_t i = 0; i < panel.places.size(); ++i) {
      if (panel.places[i].mark != HeatMark::None) continue;
      lowest = std::min(lowest, panel.grid.numbers[i]);
      highest = std::max(highest, panel.grid.numbers[i]);
    }
  }
  const bool narrow = map.normalize == Normalize::None && lowest < highest &&
                      highest - lowest < 0.5 * (map.high - map.low);
  if (!narrow) return "";
  return "all numbers are between " + format_number(lowest, style.numbers.format) + " and " +
         format_number(highest, style.numbers.format) +
         (style.text.spread_colors.empty() ? "" : ": " + style.text.spread_colors);
}

}  // namespace attn
