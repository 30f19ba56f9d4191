// What can be seen in a wrong matrix that no known mistake explains, in plain words.
#include "teach/check/evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <set>

#include "attn/tool/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "core/trace/hidden_cells.hpp"

namespace attn {
namespace {

std::string text_of(double x) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.4g", x);
  return text.data();
}

/// The sums along one direction, if every cell of the answer is filled and finite.
struct Sums {
  bool complete = true;
  std::vector<double> rows, cols;
  double total = 0.0;
};

Sums sums_of(const Judged& judged) {
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

bool all_are(const std::vector<double>& numbers, double wanted, double tolerance) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [&](double x) { return std::abs(x - wanted) <= tolerance; });
}

using Said = std::optional<std::string>;

/// Weights that are no shares: sums of rows and columns, numbers below 0 or above 1.
Said weights_sum(const Case&, const Judged& judged) {
  if (judged.step->info().role != StepRole::Weights) return {};
  const Sums sums = sums_of(judged);
  const auto n = static_cast<double>(judged.theirs->cols());
  const double room = std::max(judged.close.tolerance, judged.close.grain) * n;
  if (!sums.complete || all_are(sums.rows, 1.0, room)) return {};
  if (all_are(sums.cols, 1.0, room)) return "The columns add up to 1, but the rows should.";
  if (std::abs(sums.total - 1.0) <= room)
    return "The whole matrix adds up to 1, but each row should.";
  if (all_are(sums.rows, sums.rows.front(), room))
    return "Every row adds up to " + text_of(sums.rows.front()) + " instead of 1.";
  const auto at = std::find_if(sums.rows.begin(), sums.rows.end(),
                               [&](double x) { return std::abs(x - 1.0) > room; });
  return "Row " + std::to_string((at - sums.rows.begin()) % judged.theirs->rows()) +
         " adds up to " + text_of(*at) + " instead of 1.";
}

Said weights_range(const Case&, const Judged& judged) {
  if (judged.step->info().role != StepRole::Weights) return {};
  const auto& numbers = judged.theirs->data();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!judged.filled(i)) continue;
    if (numbers[i] < -judged.close.tolerance || numbers[i] > 1.0 + judged.close.tolerance)
      return "A weight is " + text_of(numbers[i]) + ", but weights lie between 0 and 1.";
  }
  return {};
}

/// Zeros where keys are visible, and weight where they are hidden.
Said zero_pattern(const Case& known, const Judged& judged) {
  const Step& step = *judged.step;
  if (step.info().role != StepRole::Weights || !step.scope->visibility) return {};
  const HiddenCells hidden(known.truth, *step.scope);
  Index shown = 0, missing = 0;
  std::size_t i = 0;
  for_each_slice(*judged.theirs, [&](Index b, Index h) {
    for (Index r = 0; r < judged.theirs->rows(); ++r) {
      for (Index c = 0; c < judged.theirs->cols(); ++c, ++i) {
        if (!judged.filled(i)) continue;
        const double theirs = judged.theirs->at({b, h, r, c});
        const bool is_hidden = hidden({b, h, r, c});
        shown += is_hidden && theirs > judged.close.tolerance;
        missing += !is_hidden && theirs == 0.0;
      }
    }
  });
  if (shown > 0)
    return counted(shown, "hidden cell") + (shown == 1 ? " gets" : " get") + " weight.";
  if (missing > 1) return counted(missing, "visible cell") + " have a weight of exactly 0.";
  return {};
}

/// The slope of ln(weights), each row centred, against the right one: a temperature.
Said slope(const Case& known, const Judged& judged) {
  if (judged.step->info().role != StepRole::Weights) return {};
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
  return "Apart from the sums, these are the weights of scores that are all " + text_of(c) +
         " times as large.";
}

/// Cells that are all wrong, by the same factor or by the same amount.
Said ratio(const Case& known, const Judged& judged) {
  const Tensor* ours = known.follows.made(judged.step->id);
  if (ours == nullptr || !(ours->shape() == judged.theirs->shape())) return {};
  std::vector<double> ratios, gaps;
  bool all_wrong = true;
  for (std::size_t i = 0; i < ours->data().size(); ++i) {
    const double a = ours->data()[i], t = judged.theirs->data()[i];
    if (!judged.filled(i) || !std::isfinite(a)) continue;
    if (!std::isfinite(t)) return {};
    const bool small = std::abs(a) <= 20.0 * judged.close.tolerance;
    if (!small) ratios.push_back(t / a);
    if (!small) all_wrong = all_wrong && judged.report.cells[i] == CellVerdict::Wrong;
    gaps.push_back(t - a);
  }
  const auto alike = [&](const std::vector<double>& v, double room) {
    return all_wrong && v.size() > 2 && all_are(v, v.front(), room);
  };
  const double factor = ratios.empty() ? 0.0 : ratios.front();
  bool scaled = std::abs(factor) > 1e-6;
  for (std::size_t i = 0; i < ours->data().size() && scaled; ++i) {
    const double a = ours->data()[i], t = judged.theirs->data()[i];
    if (!judged.filled(i) || !std::isfinite(a)) continue;
    scaled = std::abs(t - factor * a) <= std::max(judged.close.tolerance, 0.02 * std::abs(t));
  }
  if (scaled && alike(ratios, 0.05 * std::abs(factor)))
    return "All cells are off by the same factor.";
  if (alike(gaps, judged.close.tolerance) && std::abs(gaps.front()) > judged.close.tolerance)
    return "All cells are off by the same amount.";
  return {};
}

/// Infinities and NaN where finite numbers belong.
Said not_finite(const Case&, const Judged& judged) {
  Index count = 0;
  for (std::size_t i = 0; i < judged.theirs->data().size(); ++i) {
    count += judged.filled(i) && std::isfinite(judged.step->value.data()[i]) &&
             !std::isfinite(judged.theirs->data()[i]);
  }
  if (count == 0) return {};
  return counted(count, "cell") + (count == 1 ? " is" : " are") + " infinite or not a number.";
}

/// Mixtures lie between the values that they mix.
Said outside_values(const Case& known, const Judged& judged) {
  const Step& step = *judged.step;
  const Step* first = step.inputs.empty() ? nullptr : &known.truth.input(step, 0);
  const bool mixes = first != nullptr && first->info().role == StepRole::Weights;
  if (!mixes) return {};
  const Tensor& values = known.truth.input(step, 1).value;
  for (std::size_t i = 0; i < judged.theirs->data().size(); ++i) {
    if (!judged.filled(i)) continue;
    const double x = judged.theirs->data()[i];
    const auto [low, high] = std::minmax_element(values.data().begin(), values.data().end());
    if (x < *low - judged.close.tolerance || x > *high + judged.close.tolerance)
      return text_of(x) + " lies outside the range of the values that are mixed.";
  }
  return {};
}

/// All wrong cells in one row, one column, or one head.
Said place(const Case&, const Judged& judged) {
  std::set<Index> rows, cols, heads;
  const Tensor& t = judged.step->value;
  Index wrong = 0, at = 0;
  for (const CellVerdict verdict : judged.report.cells) {
    const Index i = at++;
    if (verdict != CellVerdict::Wrong) continue;
    ++wrong;
    cols.insert(i % t.cols());
    rows.insert(i / t.cols() % t.rows());
    heads.insert(i / (t.cols() * t.rows()) % t.heads());
  }
  if (wrong < 2) return {};
  if (rows.size() == 1 && t.rows() > 1)
    return "Only row " + std::to_string(*rows.begin()) + " is wrong.";
  if (cols.size() == 1 && t.cols() > 1)
    return "Only column " + std::to_string(*cols.begin()) + " is wrong.";
  if (heads.size() == 1 && t.heads() > 1)
    return "Only head " + std::to_string(*heads.begin()) + " is wrong.";
  return {};
}

struct EvidenceRow {
  const char* code;
  Said (*look)(const Case& known, const Judged& judged);
  const char* hint;
};

constexpr std::array kRows = {
    EvidenceRow{"evidence.not_finite", not_finite, "Which operation gives ∞, or ∞/∞?"},
    EvidenceRow{"evidence.sums", weights_sum, "What should each row of weights add up to?"},
    EvidenceRow{"evidence.range", weights_range, "Which values can a share of attention have?"},
    EvidenceRow{"evidence.zeros", zero_pattern, "Which keys may each query see?"},
    EvidenceRow{"evidence.slope", slope, "By what are the scores divided?"},
    EvidenceRow{"evidence.ratio", ratio, "Is a factor or a term missing?"},
    EvidenceRow{"evidence.values", outside_values, "Can a mixture exceed all its parts?"},
    EvidenceRow{"evidence.place", place, "What is special about this row, column or head?"},
};

}  // namespace

void add_evidence(const Case& known, Judged& judged) {
  if (!judged.theirs) return;
  const Index wrong =
      std::count(judged.report.cells.begin(), judged.report.cells.end(), CellVerdict::Wrong);
  for (const EvidenceRow& row : kRows) {
    const Said said = row.look(known, judged);
    if (!said) continue;
    judged.report.findings.push_back({.code = row.code,
                                      .confidence = Confidence::Possible,
                                      .matched = 0,
                                      .of = wrong,
                                      .message = *said,
                                      .hint = row.hint});
  }
}

}  // namespace attn
