// Contributions to a logit as a table: a line for everything that was added up, with a bar.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "attn/language.hpp"
#include "attn/render/inside.hpp"
#include "render/story/cells/cell_names.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostParts = 40;  // of all parts; of more, only the largest
constexpr std::size_t kLargestParts = 20;
constexpr std::size_t kMarked = 3;
constexpr double kBar = 16.0;  // cells of the longest bar

const Step* last_contributions(const Trace& trace) {
  const Step* last = nullptr;
  for (const Step& step : trace.steps) {
    if (step.info().role == StepRole::Contributions) last = &step;
  }
  return last;
}

/// "row 11 (cup)"
std::string row_text(const Trace& trace, const Step& contributions) {
  const Step* step = &contributions;
  while (step->parameters.find("row") == nullptr) step = &trace.input(*step, 0);
  const Index row = step->parameters.count("row");
  const std::vector<std::string>& tokens = trace.scope().query_tokens.front();
  if (row >= std::ssize(tokens)) return translated("row {n}", row);
  return translated("row {n} ({name})", row, tokens[static_cast<std::size_t>(row)]);
}

/// The contributions of one batch entry: to each word, and for two words the difference.
class ContributionLines {
 public:
  ContributionLines(const Step& step, const GridChoice& grid, int precision)
      : step_(step), grid_(grid), precision_(precision) {
    for (Index r = 0; r < step.value.rows(); ++r) rows_.push_back(numbers_of(r));
    std::vector<std::size_t> order(rows_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    const bool stand_out = order.size() > kMarked && size(order[kMarked - 1]) > 0.0;
    if (stand_out) marked_ = {order.begin(), order.begin() + kMarked};
    if (rows_.size() > kMostParts) order.resize(kLargestParts);
    shown_ = {order.begin(), order.end()};
    most_ = size(order.front());
  }

  Table table() const {
    Table table{.header = {grid_.caption, ""}, .rows = {}, .texts = 2, .bars = {1}};
    for (Index c = 0; c < step_.value.cols(); ++c)
      table.header.push_back(col_label(step_, {grid_.batch, grid_.head, 0, c}));
    if (has_difference()) table.header.push_back(table.header[2] + " − " + table.header[3]);
    std::vector<double> rest(rows_.front().size()), total(rest);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      add(total, rows_[i]);
      if (!shown_.contains(i)) {
        add(rest, rows_[i]);
        continue;
      }
      const std::string name =
          row_label(step_, {grid_.batch, grid_.head, static_cast<Index>(i), 0});
      table.rows.push_back(line(marked_.contains(i) ? name + " *" : name, rows_[i], bar(i)));
    }
    if (const std::size_t others = rows_.size() - shown_.size(); others > 0)
      table.rows.push_back(
          line(translated_count(static_cast<Index>(others), "smaller part"), rest, ""));
    table.rows.push_back(line(translated("sum"), total, ""));
    return table;
  }

 private:
  bool has_difference() const { return step_.value.cols() == 2; }

  std::vector<double> numbers_of(Index row) const {
    const auto numbers = step_.value.row(grid_.batch, grid_.head, row);
    std::vector<double> all(numbers.begin(), numbers.end());
    if (has_difference()) all.push_back(all[0] - all[1]);
    return all;
  }

  /// The bar is about the difference, or the first word.
  double leading(std::size_t row) const {
    return has_difference() ? rows_[row].back() : rows_[row].front();
  }
  /// NaN comes first.
  double size(std::size_t row) const {
    const double x = std::abs(leading(row));
    return std::isnan(x) ? std::numeric_limits<double>::infinity() : x;
  }

  static void add(std::vector<double>& to, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += numbers[i];
  }

  std::string bar(std::size_t row) const {
    const double share = most_ > 0.0 ? size(row) / most_ : 0.0;
    if (!std::isfinite(share)) return "";
    return std::string(static_cast<std::size_t>(share * kBar + 0.5),
                       leading(row) < 0.0 ? '-' : '+');
  }

  std::vector<std::string> line(const std::string& name, const std::vector<double>& numbers,
                                const std::string& bar) const {
    std::vector<std::string> cells{name, bar};
    for (const double x : numbers) cells.push_back(format_number(x, {precision_}));
    return cells;
  }

  const Step& step_;
  const GridChoice& grid_;
  int precision_;
  std::vector<std::vector<double>> rows_ = {};
  std::set<std::size_t> marked_ = {}, shown_ = {};
  double most_ = 0.0;
};

}  // namespace

Document show_contributions(const Trace& trace, const View& view) {
  check_choice(trace, view);
  Document document;
  document.precision = view.precision;
  add_opening(document, trace, view);
  const Step& step = *last_contributions(trace);
  document.blocks.emplace_back(
      Paragraph{translated("What each part of the model adds to the logit in {row}: what it wrote "
                           "there times the direction in which the logit grows. Where rows are "
                           "normed, or logits capped, the factor that it had there is taken as "
                           "fixed, so the lines add up to the logit.",
                           row_text(trace, step))});
  for (const GridChoice& grid : chosen_grids(step, view))
    document.blocks.emplace_back(ContributionLines(step, grid, view.precision).table());
  document.blocks.emplace_back(Paragraph{
      translated("* the three largest. The step {step} has all numbers.", step.id), Role::Footer});
  return document;
}

}  // namespace attn
