// Contributions to a logit as a table: a line for everything that was added up, with a bar.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "attn/language.hpp"
#include "attn/render/inside.hpp"
#include "render/story/models/contribution_rows.hpp"
#include "render/story/steps/opening.hpp"
#include "render/story/steps/step_grids.hpp"
#include "render/terminal/number.hpp"

namespace attn {
namespace {

constexpr std::size_t kMostParts = 40;  // of all parts; of more, only the largest
constexpr std::size_t kLargestParts = 20;
constexpr std::size_t kMarked = 3;
constexpr double kBar = 16.0;  // cells of the longest bar

/// The contributions of one batch entry as lines.
class ContributionLines {
 public:
  ContributionLines(const Step& step, const GridChoice& grid, const NumberFormat& format)
      : caption_(grid.caption), format_(format), all_(step, grid) {
    std::vector<std::size_t> order(all_.parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    const bool stand_out = order.size() > kMarked && size(order[kMarked - 1]) > 0.0;
    if (stand_out) marked_ = {order.begin(), order.begin() + kMarked};
    if (all_.parts.size() > kMostParts) order.resize(kLargestParts);
    shown_ = {order.begin(), order.end()};
    most_ = size(order.front());
  }

  /// The bars are of this word, or difference, and the stars.
  const std::string& marked_word() const { return all_.words[all_.leading]; }

  Table table() const {
    Table table{.header = {caption_, all_.words.size() > 1 ? marked_word() : ""},
                .rows = {},
                .texts = 2,
                .bars = {1}};
    table.header.insert(table.header.end(), all_.words.begin(), all_.words.end());
    std::vector<double> rest(all_.words.size()), total(rest);
    for (std::size_t i = 0; i < all_.parts.size(); ++i) {
      add(total, all_.numbers[i]);
      if (!shown_.contains(i)) {
        add(rest, all_.numbers[i]);
        continue;
      }
      table.rows.push_back(
          line(all_.parts[i] + (marked_.contains(i) ? " *" : ""), all_.numbers[i], bar(i)));
    }
    if (const std::size_t others = all_.parts.size() - shown_.size(); others > 0)
      table.rows.push_back(
          line(translated_count(static_cast<Index>(others), "smaller part"), rest, ""));
    table.rows.push_back(line(translated("sum"), total, ""));
    return table;
  }

 private:
  double leading(std::size_t row) const { return all_.numbers[row][all_.leading]; }
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
    for (const double x : numbers) cells.push_back(format_number(x, format_));
    return cells;
  }

  std::string caption_;
  NumberFormat format_;
  ContributionRows all_;
  std::set<std::size_t> marked_ = {}, shown_ = {};
  double most_ = 0.0;
};

}  // namespace

Document show_contributions(const Trace& trace, const View& view) {
  Document document = opened(trace, view);
  const Step& step = last_contributions(trace);
  document.blocks.emplace_back(
      Paragraph{translated("What each part of the model adds to the logit in {row}: what it wrote "
                           "there times the direction in which the logit grows. Where rows are "
                           "normed, or logits capped, the factor that it had there is taken as "
                           "fixed, so the lines add up to the logit.",
                           contribution_row_text(trace, step))});
  const NumberFormat format{view.precision, view.notation == Notation::Scientific};
  std::string marked;
  for (const GridChoice& grid : chosen_grids(step, view)) {
    const ContributionLines lines(step, grid, format);
    document.blocks.emplace_back(lines.table());
    marked = lines.marked_word();
  }
  document.blocks.emplace_back(
      Paragraph{translated("* the three largest of {word}. The step {step} has all numbers.",
                           marked, step.id),
                Role::Footer});
  document.blocks.emplace_back(rounding_footer(trace, view.precision));
  return document;
}

}  // namespace attn
