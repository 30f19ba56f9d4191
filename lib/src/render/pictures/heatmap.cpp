// Chooses the step of a picture, the range of its colours and a place for each number.
#include "attn/render/heatmap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "attn/error.hpp"
#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/story/steps/step_numbers.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Error usage(const std::string& id, const std::string& what, const std::string& fix,
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

const Step& chosen_step(const Trace& trace, const View& view) {
  View named = view;
  named.steps = pictured_steps(trace, view);
  const std::vector<const Step*> steps = shown_steps(trace, named);
  if (steps.size() == 1) return *steps.front();
  const auto whole = std::find_if(steps.begin(), steps.end(), [&](const Step* step) {
    return named.steps.size() == 1 && step->id == named.steps.front();
  });
  if (whole != steps.end()) return **whole;  // "output" is the model's own, not a layer's
  throw usage("one-step", "a heat map shows one step, not " + std::to_string(steps.size()),
              "Name one.", {{"steps", steps.front()->id}});
}

void check_options(const HeatOptions& o) {
  std::vector<std::string> given;
  if (o.normalize != Normalize::None) given.emplace_back("normalize");
  if (o.min || o.max) given.emplace_back(o.min ? "min" : "max");
  if (o.unit) given.emplace_back("unit");
  if (o.diverging) given.emplace_back("diverging");
  if (given.size() > 1) {
    throw usage("range-conflict",
                "\"" + given[0] + "\" and \"" + given[1] + "\" both set the range of the colours",
                "Leave one of them out.");
  }
  for (const auto& end : {o.min, o.max}) {
    if (end && !std::isfinite(*end)) {
      throw usage("range-order", "the ends of a colour range must be finite",
                  "Write 0 and 1, for example.");
    }
  }
}

/// What a number is, whatever the range.
HeatMark mark_of(const Step& step, double number, CellKind kind) {
  const bool shut = step.info().role == StepRole::Mask && number == 0.0;
  if (kind != CellKind::Number || shut || number == -kInfinity) return HeatMark::Hidden;
  if (std::isnan(number)) return HeatMark::NotANumber;
  return number == kInfinity ? HeatMark::Above : HeatMark::None;
}

/// A whole matrix, its numbers marked but not yet placed.
HeatPanel marked_panel(const Trace& trace, const Step& step, const GridChoice& choice) {
  HeatPanel panel{make_grid(trace, step, choice), {}};
  for (std::size_t i = 0; i < panel.grid.numbers.size(); ++i) {
    const HeatMark mark = mark_of(step, panel.grid.numbers[i], panel.grid.kinds[i]);
    panel.places.push_back({mark == HeatMark::Above ? 1.0 : 0.0, mark});
  }
  return panel;
}

Range range_of(const std::vector<HeatPanel>& panels) {
  Range range;
  for (const HeatPanel& panel : panels) {
    for (std::size_t i = 0; i < panel.places.size(); ++i) {
      if (panel.places[i].mark == HeatMark::None) range.add(panel.grid.numbers[i]);
    }
  }
  return range;
}

/// Sets low, high and diverging of `map`.
void choose_range(HeatMap& map, const HeatOptions& o, const Step& step, const Range& found) {
  const bool shares = step.info().role == StepRole::Weights || step.info().role == StepRole::Mask;
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
    throw usage("range-order",
                "the range of colours would run from " + format_exact(range.low) + " to " +
                    format_exact(range.high),
                "Make the lower end smaller than the upper end.", {{o.min ? "min" : "max", ""}});
  }
  map.low = range.low;
  map.high = range.high;
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

/// Only row `row` of a panel.
void keep_row(HeatPanel& panel, Index row) {
  const auto cut = [&](auto& list, std::size_t width) {
    const auto from = list.begin() + static_cast<std::ptrdiff_t>(width) * row;
    list = {from, from + static_cast<std::ptrdiff_t>(width)};
  };
  const std::size_t cols = panel.grid.col_labels.size();
  cut(panel.grid.row_labels, 1);
  cut(panel.grid.numbers, cols);
  cut(panel.grid.kinds, cols);
  cut(panel.places, cols);
}

/// "attention 3 of 6": which of a model's attentions this is; "" if it is the only one, or none.
std::string place_among(const Trace& trace, const Scope& shown) {
  Index all = 0, own = 0;
  for (const auto& scope : trace.scopes) {
    if (trace.last_of(StepRole::Weights, *scope) == nullptr) continue;
    ++all;
    if (scope.get() == &shown) own = all;
  }
  return own == 0 || all == 1 ? "" : filled("attention {} of {}", own, all);
}

}  // namespace

std::vector<std::string> pictured_steps(const Trace& trace, const View& view) {
  check_choice(trace, view);
  if (!view.steps.empty()) return view.steps;
  const Step* weights = trace.last_weights();
  if (!view.layer || !trace.is_model()) return {weights == nullptr ? "weights" : weights->id};
  std::vector<std::string> ids;
  for (const auto& scope : trace.scopes) {
    const Step* own = trace.last_of(StepRole::Weights, *scope);
    if (own != nullptr && place_of(*scope).layer == view.layer) ids.push_back(own->id);
  }
  return ids;
}

HeatMap make_heatmap(const Trace& trace, const View& view, const HeatOptions& options) {
  check_options(options);
  check_choice(trace, view);
  const Step& step = chosen_step(trace, view);
  std::vector<HeatPanel> all;
  for (const GridChoice& choice : chosen_grids(step, {})) {
    all.push_back(marked_panel(trace, step, choice));
  }
  HeatMap map;
  map.heading =
      heading_of(trace, step, numbered_steps(trace, view), shape_text(step.value.shape().sizes()));
  map.title = trace.title;
  map.facts = settings_facts(trace, view.source, step.scope.get());
  if (std::string place = place_among(trace, *step.scope); !place.empty())
    map.facts.push_back(std::move(place));
  map.normalize = options.normalize;
  map.heads = step.value.shape().heads.has_value();
  choose_range(map, options, step, range_of(all));
  for (const GridChoice& choice : chosen_grids(step, view)) {
    GridChoice whole = choice;
    whole.row.reset();
    const auto same = std::find_if(all.begin(), all.end(), [&](const HeatPanel& panel) {
      return panel.grid.batch.value_or(0) == choice.batch &&
             panel.grid.head.value_or(0) == choice.head;
    });
    HeatPanel panel = same == all.end() ? marked_panel(trace, step, whole) : std::move(*same);
    place_all(panel, map);
    if (choice.row) keep_row(panel, *choice.row);
    map.panels.push_back(std::move(panel));
  }
  return map;
}

}  // namespace attn
