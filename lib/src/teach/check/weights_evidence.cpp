// What can be seen in wrong weights: their sums, range, and the slope of their logarithms.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "teach/check/evidence.hpp"

namespace attn {
namespace {

/// The sums of rows, of columns and of everything; `complete`: every cell is filled and finite.
struct Sums {
  bool complete = true;
  std::vector<double> rows, cols;
  double total = 0.0;
};

Sums sums_of(const GradedAnswer& judged) {
  Sums sums;
  const Tensor& t = *judged.theirs;
  for (std::size_t i = 0; i < t.data().size(); ++i)
    sums.complete = sums.complete && judged.filled(i) && std::isfinite(t.data()[i]);
  for_each_slice(t, [&](Index b, Index h) {
    std::vector<double> cols(static_cast<std::size_t>(t.cols()));
    for (Index r = 0; r < t.rows(); ++r) {
      double row = 0.0;
      for (Index c = 0; c < t.cols(); ++c) {
        row += t.at({b, h, r, c});
        cols[static_cast<std::size_t>(c)] += t.at({b, h, r, c});
      }
      sums.rows.push_back(row);
      sums.total += row;
    }
    sums.cols.insert(sums.cols.end(), cols.begin(), cols.end());
  });
  return sums;
}

/// Whether the student wrote a wrong number into a row, counted through all slices. The others may
/// follow from earlier mistakes, or share a row with printed numbers that do not.
bool has_wrong_cell(const GradedAnswer& judged, Index row) {
  const auto first = judged.report.cells.begin() + row * judged.theirs->cols();
  const auto last = first + judged.theirs->cols();
  return std::find(first, last, CellVerdict::Wrong) != last;
}

/// Whether they are weights, and softmax should make them.
bool are_softmax_shares(const GradedAnswer& judged) {
  return judged.step->info().role == StepRole::Weights &&
         judged.step->scope->settings.normalize == NormalizeKind::Softmax;
}

}  // namespace

Said sums_of_weights(const Case&, const GradedAnswer& judged) {
  if (!are_softmax_shares(judged)) return {};
  const Sums sums = sums_of(judged);
  const auto n = static_cast<double>(judged.theirs->cols());
  const double room = std::max(judged.close.tolerance, judged.close.grain) * n;
  if (!sums.complete || all_are(sums.rows, 1.0, room)) return {};
  if (all_are(sums.cols, 1.0, room)) return "The columns add up to 1, but the rows should.";
  if (std::abs(sums.total - 1.0) <= room)
    return "The whole matrix adds up to 1, but each row should.";
  if (all_are(sums.rows, sums.rows.front(), room))
    return "Every row adds up to " + text_of(sums.rows.front()) + " instead of 1.";
  const auto at =
      std::find_if(sums.rows.begin(), sums.rows.end(), [&, row = Index{0}](double x) mutable {
        return has_wrong_cell(judged, row++) && std::abs(x - 1.0) > room;
      });
  if (at == sums.rows.end()) return {};
  Shape rows = judged.theirs->shape();
  rows.cols = 1;
  const Cell cell = rows.cell_at(at - sums.rows.begin());
  std::string row = line_text("row", name_of_row(*judged.step, cell), cell.row);
  row.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(row.front())));
  return row + in_slice(*judged.theirs, cell) + " adds up to " + text_of(*at) + " instead of 1.";
}

Said range_of_weights(const Case&, const GradedAnswer& judged) {
  if (!are_softmax_shares(judged)) return {};
  const auto& numbers = judged.theirs->data();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!judged.filled(i)) continue;
    if (numbers[i] < -judged.close.tolerance || numbers[i] > 1.0 + judged.close.tolerance)
      return "A weight is " + text_of(numbers[i]) + ", but weights lie between 0 and 1.";
  }
  return {};
}

Said slope_of_weights(const Case& known, const GradedAnswer& judged) {
  if (!are_softmax_shares(judged)) return {};
  const Tensor* ours = known.follows.made(judged.step->id);
  if (ours == nullptr || !(ours->shape() == judged.theirs->shape())) return {};
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for_each_slice(*ours, [&](Index b, Index h) {
    for (Index r = 0; r < ours->rows(); ++r) {
      std::vector<double> x, y;
      for (Index c = 0; c < ours->cols(); ++c) {
        const double a = ours->at({b, h, r, c}), t = judged.theirs->at({b, h, r, c});
        if (!(a > 0.0) || !(t > 0.0) || !std::isfinite(t)) continue;
        x.push_back(std::log(a));
        y.push_back(std::log(t));
      }
      const auto mean = [](const std::vector<double>& v) {
        double total = 0.0;
        for (const double each : v) total += each;
        return v.empty() ? 0.0 : total / static_cast<double>(v.size());
      };
      const double mx = mean(x), my = mean(y);
      for (std::size_t k = 0; k < x.size(); ++k) {
        xy += (x[k] - mx) * (y[k] - my);
        xx += (x[k] - mx) * (x[k] - mx);
        yy += (y[k] - my) * (y[k] - my);
      }
    }
  });
  if (xx < 1e-6 || yy < 1e-6) return {};
  const double c = xy / xx;
  const double left = yy - c * xy;  // of the variance, not explained by a temperature
  if (!(left <= 1e-3 * yy) || std::abs(c - 1.0) < 0.02) return {};
  return Seen{
      "Apart from their sums, these look like the weights of scores that were multiplied by "
      "some number.",
      facts_of_factor(c, judged.step->scope->settings)};
}

}  // namespace attn
