// Writes the palette and the signs of a heat map with their meaning.
#include "render/pictures/heatmap_legend.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "attn/number_text.hpp"
#include "render/terminal/grid_layout.hpp"

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

/// As the cells show it, but as a number where they show "<.01".
std::string end_of_range(double number, const NumberFormat& format) {
  const std::string text = format_number(number, format);
  return text.starts_with('<') || text.starts_with('>') ? end_text(number) : text;
}

/// "0 ░░░░▒▒▒▒▓▓▓▓████ 1"
StyledLine ramp(const HeatMap& map, const PanelStyle& style) {
  StyledLine line(style.text.ruler);
  const auto fill = [&](double at) {
    line.add(style.text.ruler.pad_right(place_sign(at, style), sign_width(style.text)),
             {.kind = Paint::Kind::Fill, .at = at, .palette = style.palette});
  };
  const RampEnds ends = ramp_ends(map);
  if (ends.alike) {
    fill(0.5);
    return line.add("  " + ends.high);
  }
  line.add(ends.low).add(" ");
  for (int i = 0; i < kRampCells; ++i) {
    if (map.diverging && i == kRampCells / 2) line.add(" 0 ");
    fill((i + 0.5) / kRampCells);
  }
  return line.add(" ").add(ends.high);
}

/// The sign of a mark in cells of this form.
std::string sign_of_mark(HeatMark mark, const PanelStyle& style, const CellForm& form) {
  switch (mark) {
    case HeatMark::Hidden:
      return hidden_sign(style.text.ascii);
    case HeatMark::Below:
      return "-";
    case HeatMark::Above:
      return form.signs ? "++" : "+";
    case HeatMark::NotANumber:
      return form.numbers ? "nan" : "?";
    case HeatMark::None:
      break;
  }
  return "";
}

}  // namespace

RampEnds ramp_ends(const HeatMap& map) {
  if (map.normalize == Normalize::Row) return {"lowest of its row", "highest"};
  if (map.normalize == Normalize::Column) return {"lowest of its column", "highest"};
  if (map.low == map.high) return {"", "all " + end_text(map.high), true};
  return {end_text(map.low), end_text(map.high)};
}

bool has_colors(const HeatMap& map) {
  const std::array<std::size_t, 5> counts = counts_of(map);
  const auto count = [&](HeatMark mark) { return counts[static_cast<std::size_t>(mark)]; };
  return count(HeatMark::None) + count(HeatMark::Below) + count(HeatMark::Above) > 0;
}

std::vector<MarkMeaning> meanings_of(const HeatMap& map) {
  const std::array<std::size_t, 5> counts = counts_of(map);
  std::vector<MarkMeaning> meanings;
  const auto add = [&](HeatMark mark, const std::string& meaning, bool counted) {
    const std::size_t count = counts[static_cast<std::size_t>(mark)];
    if (count == 0) return;
    meanings.push_back({mark, meaning + (counted ? " (" + std::to_string(count) + ")" : "")});
  };
  const bool shares = !map.panels.empty() && map.panels.front().grid.shares;
  add(HeatMark::Hidden, shares ? kExactlyZero : "hidden", false);
  add(HeatMark::Below, "below", true);
  add(HeatMark::Above, "above", true);
  add(HeatMark::NotANumber, "not a number", true);
  return meanings;
}

Legend legend_of(const HeatMap& map, const PanelStyle& style, const CellForm& form,
                 std::ptrdiff_t room) {
  Legend legend(style.text.ruler, room);
  if (has_colors(map)) legend.add(ramp(map, style));
  if (form.signs) {
    legend.add("-", "below 0");
    legend.add("+", "above 0");
  }
  for (const MarkMeaning& each : meanings_of(map))
    legend.add(sign_of_mark(each.mark, style, form), each.meaning);
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
  const bool narrow = map.normalize == Normalize::None && !map.chosen && lowest < highest &&
                      highest - lowest < 0.5 * (map.high - map.low);
  if (!narrow) return "";
  return "all numbers are between " + end_of_range(lowest, style.numbers.format) + " and " +
         end_of_range(highest, style.numbers.format) +
         (style.text.spread_colors.empty() ? "" : ": " + style.text.spread_colors);
}

}  // namespace attn
