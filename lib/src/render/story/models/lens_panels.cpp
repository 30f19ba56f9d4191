// Finds what each layer of a model would predict, from the probabilities of its lens.
#include "render/story/models/lens_panels.hpp"

#include <algorithm>
#include <utility>

#include "attn/language.hpp"
#include "core/trace/axis_names.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/steps/best_columns.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/terminal/short_labels.hpp"

namespace attn {
namespace {

constexpr Index kLensWords = 5;  // of one query

/// Probabilities of all lenses, in the order of the layers.
std::vector<const Step*> lenses_of(const Trace& trace) {
  std::vector<const Step*> lenses;
  for (const Step& step : trace.steps) {
    const bool of_lens = place_of(*step.scope).layer && step.info().role == StepRole::Probabilities;
    if (of_lens) lenses.push_back(&step);
  }
  return lenses;
}

void add_word(HeatPanel& panel, const Step& lens, const Cell& cell) {
  AxisName name = name_of_col(lens, cell);
  if (name.token) name.name = shown_token(name.name);
  panel.words.push_back(unique_name(name, cell.col));
  panel.grid.numbers.push_back(lens.value.at(cell));
  panel.grid.kinds.push_back(CellKind::Number);
}

/// A row for each layer; `from` and `to`: of which rows, `count`: how many words of each.
HeatPanel words_of(const std::vector<const Step*>& lenses, const GridChoice& choice,
                   const std::pair<Index, Index>& rows, Index count) {
  HeatPanel panel;
  for (std::size_t i = 0; i < lenses.size(); ++i) {
    const bool last = i + 1 == lenses.size();
    panel.grid.row_labels.push_back(last ? translated("at the end")
                                         : translated("before layer {n}", i));
    for (Index r = rows.first; r < rows.second; ++r) {
      for (const Index c : best_columns(lenses[i]->value.row(choice.batch, choice.head, r), count))
        add_word(panel, *lenses[i], {choice.batch, choice.head, r, c});
    }
  }
  panel.grid.caption = choice.caption;
  return panel;
}

/// One word for each query.
HeatPanel words_of_all(const std::vector<const Step*>& lenses, const GridChoice& choice) {
  HeatPanel panel = words_of(lenses, choice, {0, lenses.front()->value.rows()}, 1);
  AxisNames names = row_names(*lenses.front(), choice.batch, choice.head);
  panel.grid.col_labels = std::move(names.names);
  panel.grid.col_tokens = names.tokens;
  return panel;
}

/// The best words of one query.
HeatPanel words_of_query(const std::vector<const Step*>& lenses, const GridChoice& choice) {
  const Step& first = *lenses.front();
  const Index count = std::min(kLensWords, first.value.cols());
  HeatPanel panel = words_of(lenses, choice, {*choice.row, *choice.row + 1}, count);
  panel.grid.caption += (choice.caption.empty() ? "" : " · ") +
                        row_label(first, {choice.batch, choice.head, *choice.row, 0});
  panel.grid.col_title = translated("most probable");
  for (Index k = 1; k <= count; ++k) panel.grid.col_labels.push_back(std::to_string(k));
  return panel;
}

}  // namespace

std::vector<HeatPanel> lens_panels(const Trace& trace, const View& view) {
  const std::vector<const Step*> lenses = lenses_of(trace);
  std::vector<HeatPanel> panels;
  for (const GridChoice& choice : chosen_grids(*lenses.front(), view))
    panels.push_back(choice.row ? words_of_query(lenses, choice) : words_of_all(lenses, choice));
  return panels;
}

}  // namespace attn
