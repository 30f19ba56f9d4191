// Summarises a computation: a line per step, and how widely each head looks.
#include <algorithm>
#include <cmath>

#include "attn/language.hpp"
#include "attn/phrases.hpp"
#include "attn/render/explain.hpp"
#include "core/attention/costs.hpp"
#include "core/trace/parameter_count.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/statistics.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// The rows of a step that the view shows.
template <typename Visit>
void for_each_row(const Step& step, const View& view, Visit visit) {
  for (const GridChoice& grid : chosen_grids(step, view, false)) {
    for (Index r = 0; r < step.value.rows(); ++r) {
      if (!grid.row || r == *grid.row) visit(grid, r);
    }
  }
}

std::vector<std::string> line(const Step& step, const View& view) {
  Statistics s;
  for_each_row(step, view, [&](const GridChoice& grid, Index r) {
    for (Index c = 0; c < step.value.cols(); ++c) {
      s.count(step.value.at({grid.batch, grid.head, r, c}));
    }
  });
  const auto number = [&](double x) { return s.text(x, view.precision, view.notation); };
  const auto tally = [](Index n) { return n == 0 ? std::string() : std::to_string(n); };
  return {step.id,           symbol_text(step),   shape_text(step.value.shape().sizes()),
          number(s.least),   number(s.most),      number(s.sum / static_cast<double>(s.finite)),
          tally(s.infinite), tally(s.not_numbers)};
}

/// Takes away the columns from `first` on in which no row says anything.
void drop_empty_columns(Table& table, std::size_t first) {
  for (std::size_t j = table.header.size(); j-- > first;) {
    const bool empty = std::all_of(table.rows.begin(), table.rows.end(),
                                   [j](const auto& row) { return row[j].empty(); });
    if (!empty) continue;
    const auto at = static_cast<std::ptrdiff_t>(j);
    table.header.erase(table.header.begin() + at);
    for (auto& row : table.rows) row.erase(row.begin() + at);
  }
}

/// How widely each head looks: means over its queries.
Table entropies(const Trace& trace, const Step& step, const View& view) {
  const std::string what = translated("entropy of {step} in bits", step_name(step));
  Table table{{what, translated("mean"), translated("if even")}, {}, 1};
  for (const HeadEntropy& head : head_entropies(trace, step, view)) {
    const auto mean = [&](double x) { return mean_text(head, x, view.precision, view.notation); };
    if (head.divided) table.header[0] = translated("{what}, rows divided by their sum", what);
    table.rows.push_back({head.caption.empty() ? translated("all queries") : head.caption,
                          mean(head.bits), mean(head.most)});
  }
  return table;
}

}  // namespace

Document summarize(const Trace& trace, const View& view) {
  Document document = opened(trace, view);
  Table table{
      {translated("step"), "", translated("shape"), "min", "max", translated("mean"), "inf", "nan"},
      {},
      3};
  const std::vector<const Step*> steps =
      view.steps.empty() && !view.layer ? steps_and_givens(trace) : shown_steps(trace, view);
  for (const Step* step : steps) {
    if (!step->is_outline()) table.rows.push_back(line(*step, view));
  }
  drop_empty_columns(table, 6);
  document.blocks.push_back(std::move(table));
  for (const Step* step : steps) {
    if (step->info().role == StepRole::Weights)
      document.blocks.push_back(entropies(trace, *step, view));
  }
  if (const std::optional<ParameterCount> count = parameter_count(trace, trace.scope())) {
    document.blocks.push_back(Paragraph{
        translated(count->for_any_heads ? "parameters {n} = {formula}, for any number of heads"
                                        : "parameters {n} = {formula}",
                   count->total, count->formula),
        Role::Footer});
  }
  if (view.steps.empty()) {
    for (const std::string& line : costs(trace)) {
      document.blocks.push_back(Paragraph{translated_sentence(line), Role::Footer});
    }
  }
  return document;
}

}  // namespace attn
