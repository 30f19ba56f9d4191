// Chooses the range of the colours of a picture, and gives each number its place in it.
#include "render/pictures/heatmap_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Error range_error(const std::string& id, const std::string& what, const std::string& fix,
                  std::vector<Change> changes = {}) {
  return {ErrorKind::Usage, {{.id = id, .what = what, .fix = fix, .changes = std::move(changes)}}};
}

/// Numbers seen so far; empty while low > high.
struct Range {
  double low = kInfinity, high = -kInfinity;

  void add(double number) {
    low = std::min(low, number);
    high = std::max(high, number);
  }
  bool empty() const { return low > high; }
};

Range range_of(const std::vector<HeatPanel>& panels) {
  Range range;
  for (const HeatPanel& panel : panels) {
    for (std::size_t i = 0; i < panel.places.size(); ++i) {
      if (panel.places[i].mark == HeatMark::None) range.add(panel.grid.numbers[i]);
    }
  }
  return range;
}

void place(HeatPlace& cell, double number, const Range& range) {
  if (cell.mark != HeatMark::None) return;
  if (number < range.low || number > range.high) {
    cell.mark = number < range.low ? HeatMark::Below : HeatMark::Above;
    cell.at = number < range.low ? 0.0 : 1.0;
    return;
  }
  const double extent = range.high - range.low;
  if (std::isfinite(extent)) {
    cell.at = extent > 0.0 ? (number - range.low) / extent : 0.5;
  } else {
    cell.at = (number / 2.0 - range.low / 2.0) / (range.high / 2.0 - range.low / 2.0);
  }
}

/// Places every cell between the ends of its own line; `line_of` gives the line of a cell.
template <typename LineOf>
void place_in_lines(HeatPanel& panel, std::size_t lines, const LineOf& line_of) {
  std::vector<Range> ranges(lines);
  for (std::size_t i = 0; i < panel.places.size(); ++i) {
    if (panel.places[i].mark == HeatMark::None) ranges[line_of(i)].add(panel.grid.numbers[i]);
  }
  for (std::size_t i = 0; i < panel.places.size(); ++i) {
    place(panel.places[i], panel.grid.numbers[i], ranges[line_of(i)]);
  }
}

}  // namespace

void check_heat_options(const HeatOptions& o) {
  std::vector<std::string> given;
  if (o.normalize != Normalize::None) given.emplace_back("normalize");
  if (o.min || o.max) given.emplace_back(o.min ? "min" : "max");
  if (o.unit) given.emplace_back("unit");
  if (o.diverging) given.emplace_back("diverging");
  if (given.size() > 1) {
    throw range_error(
        "range-conflict",
        "\"" + given[0] + "\" and \"" + given[1] + "\" both set the range of the colours",
        kKeepOne);
  }
  for (const auto& end : {o.min, o.max}) {
    if (end && !std::isfinite(*end)) {
      throw range_error("range-order", "the ends of a colour range must be finite",
                        "Write 0 and 1, for example.");
    }
  }
}

HeatPlace marked_place(double number) {
  if (number == -kInfinity) return {0.0, HeatMark::Hidden};
  if (std::isnan(number)) return {0.0, HeatMark::NotANumber};
  return number == kInfinity ? HeatPlace{1.0, HeatMark::Above} : HeatPlace{};
}

void choose_range(HeatMap& map, const std::vector<HeatPanel>& panels, const HeatOptions& o,
                  bool shares) {
  const Range found = range_of(panels);
  map.normalize = o.normalize;
  Range range = found.empty() || shares ? Range{0.0, 1.0} : found;
  map.chosen = o.min || o.max || o.unit || o.diverging;
  const bool open = o.normalize == Normalize::None && !map.chosen;
  map.diverging = o.diverging || (open && !shares && range.low < 0.0);
  if (map.diverging) {
    const double most = found.empty() ? 1.0 : std::max(std::abs(found.low), std::abs(found.high));
    range = {-most, most};
  }
  if (o.normalize == Normalize::All && !found.empty()) range = found;
  if (o.unit) range = {0.0, 1.0};
  if (o.min) range.low = *o.min;
  if (o.max) range.high = *o.max;
  if ((o.min || o.max) && range.low >= range.high) {
    throw range_error("range-order",
                      "the range of colours would run from " + format_exact(range.low) + " to " +
                          format_exact(range.high),
                      "Make the lower end smaller than the upper end.",
                      {{o.min ? "min" : "max", ""}});
  }
  map.low = range.low;
  map.high = range.high;
}

void place_all(HeatPanel& panel, const HeatMap& map) {
  const std::size_t cols = panel.grid.col_labels.size();
  if (map.normalize == Normalize::Row) {
    place_in_lines(panel, panel.grid.row_labels.size(), [&](std::size_t i) { return i / cols; });
  } else if (map.normalize == Normalize::Column) {
    place_in_lines(panel, cols, [&](std::size_t i) { return i % cols; });
  } else {
    for (std::size_t i = 0; i < panel.places.size(); ++i) {
      place(panel.places[i], panel.grid.numbers[i], {map.low, map.high});
    }
  }
}

}  // namespace attn
