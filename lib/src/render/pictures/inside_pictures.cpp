// The lens and the contributions of a model as pictures.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "attn/language.hpp"
#include "attn/render/inside.hpp"
#include "render/pictures/heatmap_places.hpp"
#include "render/story/models/contribution_rows.hpp"
#include "render/story/models/lens_panels.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"

namespace attn {
namespace {

HeatMap colored(const Trace& trace, const View& view, StepHeading heading,
                std::vector<HeatPanel> panels, const HeatOptions& options, bool shares) {
  HeatMap map;
  map.heading = std::move(heading);
  map.title = trace.title;
  map.facts = settings_facts(trace, view.source);
  for (HeatPanel& panel : panels) {
    for (const double number : panel.grid.numbers) panel.places.push_back(marked_place(number));
  }
  choose_range(map, panels, options, shares);
  for (HeatPanel& panel : panels) place_all(panel, map);
  map.panels = std::move(panels);
  return map;
}

/// A row for each part; a column for each layer.
class ContributionPanel {
 public:
  explicit ContributionPanel(std::string caption) { panel_.grid.caption = std::move(caption); }

  void add(const std::string& row, const std::string& column, double number) {
    const std::size_t i = place_in(panel_.grid.row_labels, row);
    const std::size_t j = place_in(panel_.grid.col_labels, column);
    numbers_.push_back({i, j, number});
  }

  /// A part that a layer does not have adds 0 to the logit.
  HeatPanel panel() && {
    const std::size_t cols = panel_.grid.col_labels.size();
    panel_.grid.numbers.resize(panel_.grid.row_labels.size() * cols);
    panel_.grid.kinds.resize(panel_.grid.numbers.size());
    for (const Added& each : numbers_)
      panel_.grid.numbers[each.row * cols + each.col] += each.number;
    return std::move(panel_);
  }

  bool empty() const { return numbers_.empty(); }
  void set_column_title(const std::string& title) { panel_.grid.col_title = title; }
  void start_row() { panel_.grid.starts_row = true; }

 private:
  struct Added {
    std::size_t row, col;
    double number;
  };

  static std::size_t place_in(std::vector<std::string>& labels, const std::string& label) {
    const auto at = std::find(labels.begin(), labels.end(), label);
    const auto place = static_cast<std::size_t>(at - labels.begin());
    if (at == labels.end()) labels.push_back(label);
    return place;
  }

  HeatPanel panel_ = {};
  std::vector<Added> numbers_ = {};
};

/// What the parts add to one word.
void add_contribution_panels(std::vector<HeatPanel>& panels, const ContributionRows& rows,
                             std::size_t word, const std::string& caption) {
  ContributionPanel layers(caption), others(caption + ", outside of layers");
  for (std::size_t i = 0; i < rows.parts.size(); ++i) {
    Scope scope;
    scope.name = rows.parts[i];
    const ModelPlace place = place_of(scope);
    if (place.layer) {
      layers.add(place.module, std::to_string(*place.layer), rows.numbers[i][word]);
      layers.set_column_title(place.stack);
    } else {
      others.add(rows.parts[i], "", rows.numbers[i][word]);
    }
  }
  layers.start_row();
  if (!layers.empty()) panels.push_back(std::move(layers).panel());
  if (!others.empty()) panels.push_back(std::move(others).panel());
}

}  // namespace

HeatMap picture_lens(const Trace& trace, const View& view, const HeatOptions& options) {
  check_heat_options(options);
  check_choice(trace, view);
  StepHeading heading;
  heading.formula = translated("The logit lens");
  heading.phrase =
      translated("the most probable word, if the model stopped there; shade: its probability");
  return colored(trace, view, std::move(heading), lens_panels(trace, view), options, true);
}

HeatMap picture_contributions(const Trace& trace, const View& view, const HeatOptions& options) {
  check_heat_options(options);
  check_choice(trace, view);
  const Step& step = last_contributions(trace);
  StepHeading heading;
  heading.formula = "Contributions to a logit";
  heading.phrase = "what each part adds to it in " + contribution_row_text(trace, step);
  std::vector<HeatPanel> panels;
  for (const GridChoice& grid : chosen_grids(step, view)) {
    const ContributionRows rows(step, grid);
    const std::string before = grid.caption.empty() ? "" : grid.caption + " · ";
    for (std::size_t word = 0; word < rows.words.size(); ++word)
      add_contribution_panels(panels, rows, word, before + rows.words[word]);
  }
  HeatOptions around_zero = options;  // also where every part adds something
  around_zero.diverging =
      options.normalize == Normalize::None && !options.min && !options.max && !options.unit;
  return colored(trace, view, std::move(heading), std::move(panels), around_zero, false);
}

}  // namespace attn
