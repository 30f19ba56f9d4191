// Summarises a computation: a line per step, and how widely each head looks.
#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/explain.hpp"
#include "attn/tool/phrases.hpp"
#include "core/trace/hidden_cells.hpp"
#include "core/trace/parameter_count.hpp"
#include "render/story/opening.hpp"
#include "render/story/step_grids.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

/// What one line of the summary says about a step's numbers.
struct Statistics {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  double sum = 0.0;
  Index finite = 0, infinite = 0, not_numbers = 0;

  void count(double x) {
    if (std::isnan(x)) {
      ++not_numbers;
    } else if (std::isinf(x)) {
      ++infinite;
    } else {
      least = std::min(least, x);
      most = std::max(most, x);
      sum += x;
      ++finite;
    }
  }
};

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
  const auto number = [&](double x) {
    if (s.finite == 0) return std::string("-");
    return format_number(x, {view.precision, choose_format(std::span(&x, 1), 0).scientific});
  };
  const auto tally = [](Index n) { return n == 0 ? std::string() : std::to_string(n); };
  return {step.id,           step.info().symbol,  shape_text(step.value.shape().sizes()),
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

/// How widely one query looks, from its row of weights.
struct RowEntropy {
  double sum = 0.0;    ///< of the weights
  double bits = 0.0;   ///< Σ −p·log₂ p of the weights as shares of their sum
  double most = 0.0;   ///< if all visible keys had the same weight
  bool empty = false;  ///< no weight at all
};

RowEntropy row_entropy(const Trace& trace, const Step& step, const GridChoice& grid, Index row) {
  const Tensor& weights = step.value;
  RowEntropy result;
  const HiddenCells hidden(trace, *step.scope);
  double& sum = result.sum;
  Index visible = 0;
  for (Index c = 0; c < weights.cols(); ++c) {
    const Cell cell{grid.batch, grid.head, row, c};
    sum += weights.at(cell);
    visible += hidden(cell) && weights.at(cell) == 0.0 ? 0 : 1;
  }
  result.empty = !(sum > 0.0);
  if (result.empty) return result;
  for (Index c = 0; c < weights.cols(); ++c) {
    const double p = weights.at({grid.batch, grid.head, row, c}) / sum;
    if (p > 0.0) result.bits -= p * std::log2(p);
  }
  result.most = std::log2(static_cast<double>(std::max<Index>(1, visible)));
  return result;
}

/// How widely each head looks: means over its queries.
Table entropies(const Trace& trace, const Step& step, const View& view) {
  constexpr double kRounding = 0.02;  // of a sum, in the narrowest type
  const std::string what = "entropy of " + std::string(step.info().symbol) + " in bits";
  Table table{{what, "mean", "if spread evenly"}, {}, 1};
  for (const GridChoice& grid : chosen_grids(step, view, false)) {
    double bits = 0.0, most = 0.0;
    Index rows = 0;
    for (Index r = 0; r < step.value.rows(); ++r) {
      if (grid.row && r != *grid.row) continue;
      const RowEntropy row = row_entropy(trace, step, grid, r);
      if (row.empty) continue;
      if (std::abs(row.sum - 1.0) > kRounding)
        table.header[0] = what + ", rows divided by their sum";
      bits += row.bits;
      most += row.most;
      ++rows;
    }
    const auto mean = [&](double all) {
      return rows == 0 ? "-"
                       : format_number(all / static_cast<double>(rows), {view.precision, false});
    };
    table.rows.push_back(
        {grid.caption.empty() ? "all queries" : grid.caption, mean(bits), mean(most)});
  }
  return table;
}

}  // namespace

Document summarize(const Trace& trace, const View& view) {
  check_choice(trace, view);
  Document document;
  document.precision = view.precision;
  add_opening(document, trace, view);
  Table table{{"step", "", "shape", "min", "max", "mean", "inf", "nan"}, {}, 3};
  const std::vector<const Step*> steps =
      view.steps.empty() ? steps_and_givens(trace) : shown_steps(trace, view);
  for (const Step* step : steps) table.rows.push_back(line(*step, view));
  drop_empty_columns(table, 6);
  document.blocks.push_back(std::move(table));
  for (const Step* step : steps) {
    if (step->info().role == StepRole::Weights)
      document.blocks.push_back(entropies(trace, *step, view));
  }
  if (const std::optional<ParameterCount> count = parameter_count(trace, trace.scope())) {
    document.blocks.push_back(
        Footer{filled("parameters {} = {}{}", count->total, count->formula,
                      count->for_any_heads ? ", for any number of heads" : "")});
  }
  return document;
}

}  // namespace attn
