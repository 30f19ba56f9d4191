#include <algorithm>
#include <cmath>
#include <limits>

#include "attn/explain.hpp"
#include "attn/words.hpp"
#include "render/grids.hpp"
#include "render/head.hpp"
#include "render/number.hpp"

namespace attn {
namespace {

/// What one line of the summary tells about a step's numbers.
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
void for_each_row(const Trace& trace, const Step& step, const View& view, Visit visit) {
  for (const GridChoice& grid : chosen_grids(trace, step, view, false)) {
    for (Index r = 0; r < step.value.rows(); ++r) {
      if (!grid.row || r == *grid.row) visit(grid, r);
    }
  }
}

std::vector<std::string> line(const Trace& trace, const Step& step, const View& view) {
  Statistics s;
  for_each_row(trace, step, view, [&](const GridChoice& grid, Index r) {
    for (Index c = 0; c < step.value.cols(); ++c) {
      s.count(step.value.at({grid.batch, grid.head, r, c}));
    }
  });
  const auto number = [&](double x) {
    if (s.finite == 0) return std::string("-");
    return format_number(x, choose_format(std::span(&x, 1), view.precision));
  };
  const auto tally = [](Index n) { return n == 0 ? std::string() : std::to_string(n); };
  return {step.id,           step.info().symbol,  shape_text(step.value.shape().sizes()),
          number(s.least),   number(s.most),      number(s.sum / static_cast<double>(s.finite)),
          tally(s.infinite), tally(s.not_numbers)};
}

/// Σ −p·log₂ p over a row: 0 for one key alone, log₂ n for n keys alike.
double entropy(const Tensor& weights, const GridChoice& grid, Index row) {
  double bits = 0.0;
  for (Index c = 0; c < weights.cols(); ++c) {
    const double p = weights.at({grid.batch, grid.head, row, c});
    if (p > 0.0) bits -= p * std::log2(p);
  }
  return bits;
}

/// The mean entropy of the rows of each head.
Table entropies(const Trace& trace, const Step& step, const View& view) {
  Table table{{"entropy of " + std::string(step.info().symbol), "bits"}, {}, 1};
  for (const GridChoice& grid : chosen_grids(trace, step, view, false)) {
    double sum = 0.0;
    Index rows = 0;
    for (Index r = 0; r < step.value.rows(); ++r) {
      if (grid.row && r != *grid.row) continue;
      sum += entropy(step.value, grid, r);
      ++rows;
    }
    table.rows.push_back({grid.caption.empty() ? "mean of the queries" : grid.caption,
                          format_number(sum / static_cast<double>(rows), {view.precision, false})});
  }
  const double most = std::log2(static_cast<double>(step.value.cols()));
  table.rows.push_back({"if all " + counted(step.value.cols(), "key") + " were alike",
                        format_number(most, {view.precision, false})});
  return table;
}

}  // namespace

Document summarize(const Trace& trace, const View& view) {
  check_choice(trace, view);
  Document document;
  document.precision = view.precision;
  add_head(document, trace, view);
  Table table{{"step", "", "shape", "min", "max", "mean", "inf", "nan"}, {}, 3};
  const std::vector<const Step*> steps = chosen_steps(trace, view.steps);
  for (const Step* step : steps) table.rows.push_back(line(trace, *step, view));
  document.blocks.push_back(std::move(table));
  for (const Step* step : steps) {
    if (step->info().role == StepRole::Weights)
      document.blocks.push_back(entropies(trace, *step, view));
  }
  return document;
}

}  // namespace attn
