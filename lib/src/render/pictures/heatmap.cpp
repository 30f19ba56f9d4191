// Chooses the step of a picture, the range of its colours and a place for each number.
#include "attn/render/heatmap.hpp"

#include <algorithm>
#include <utility>

#include "attn/error.hpp"
#include "attn/phrases.hpp"
#include "render/pictures/heatmap_places.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/story/steps/step_numbers.hpp"

namespace attn {
namespace {

const Step& chosen_step(const Trace& trace, const View& view) {
  View named = view;
  named.steps = pictured_steps(trace, view);
  const std::vector<const Step*> steps = shown_steps(trace, named);
  if (steps.size() == 1) return *steps.front();
  const auto whole = std::find_if(steps.begin(), steps.end(), [&](const Step* step) {
    return named.steps.size() == 1 && step->id == named.steps.front();
  });
  if (whole != steps.end()) return **whole;  // "output" is the model's own, not a layer's
  throw Error(ErrorKind::Usage,
              {{.id = "one-step",
                .what = "a heat map shows one step, not " + std::to_string(steps.size()),
                .fix = "Name one.",
                .changes = {{"steps", steps.front()->id}}}});
}

/// A whole matrix, its numbers marked but not yet placed.
HeatPanel marked_panel(const Trace& trace, const Step& step, const GridChoice& choice) {
  HeatPanel panel{make_grid(trace, step, choice), {}};
  for (std::size_t i = 0; i < panel.grid.numbers.size(); ++i) {
    const double number = panel.grid.numbers[i];
    const bool shut = step.info().role == StepRole::Mask && number == 0.0;
    const bool hidden = shut || panel.grid.kinds[i] != CellKind::Number;
    panel.places.push_back(hidden ? HeatPlace{0.0, HeatMark::Hidden} : marked_place(number));
  }
  return panel;
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
  check_heat_options(options);
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
  map.heads = step.value.shape().heads.has_value();
  const StepRole role = step.info().role;
  choose_range(map, all, options, role == StepRole::Weights || role == StepRole::Mask);
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
