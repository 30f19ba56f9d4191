// Dropout as its result shows it: some weights 0, the others divided by the share that stays.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr double kLeastFactor = 1.02;
constexpr std::size_t kMostKeys = 14;  // whose subsets are tried in one row
constexpr std::size_t kWidest = 256;   // W_o that is undone
constexpr Index kEnoughRows = 3;       // that have to agree on one factor

void say_dropped(const Case& known, GradedAnswer& judged, Index matched, double factor) {
  const bool alone = known.search.near.empty() && known.search.left_out.empty();
  Finding finding = finding_of(*find_mistake("dropout.on"), matched, matched,
                               alone ? Confidence::Certain : Confidence::Likely, Basis::True);
  finding.facts = {{"p", std::stod(format_digits(1.0 - 1.0 / factor, 2))}};
  judged.report.findings.push_back(std::move(finding));
}

/// One row of a mixture: what each visible key adds to it, and what it is.
struct MixedRow {
  std::vector<std::vector<double>> terms;
  std::vector<double> result;
  double room = 0.0;

  double largest_gap(const std::vector<double>& sum, double factor) const {
    double most = 0.0;
    for (std::size_t c = 0; c < result.size(); ++c)
      most = std::max(most, std::abs(factor * sum[c] - result[c]));
    return most;
  }

  /// Whether chance would hardly make the row from some of its terms.
  bool tells() const {
    double largest = 0.0;
    for (const double x : result) largest = std::max(largest, std::abs(x));
    const double chance = std::min(1.0, 2.0 * room / std::max(largest, room));
    return std::exp2(static_cast<double>(terms.size())) *
               std::pow(chance, static_cast<double>(result.size()) - 1.0) <
           0.01;
  }

  /// Calls f(sum of the terms that stay) for every subset, all terms first, until it returns true.
  template <typename F>
  bool any_subset(F f) const {
    for (std::uint32_t kept = all();; --kept) {
      if (f(sum_of(kept))) return true;
      if (kept == 0) return false;
    }
  }

  /// The factors with which some terms make the row.
  std::vector<double> factors() const {
    std::vector<double> found;
    any_subset([&](const std::vector<double>& sum) {
      double xy = 0.0, xx = 0.0;
      for (std::size_t c = 0; c < sum.size(); ++c) {
        xy += sum[c] * result[c];
        xx += sum[c] * sum[c];
      }
      const double factor = xx > 0.0 ? xy / xx : 0.0;
      if (factor > kLeastFactor && largest_gap(sum, factor) <= room) found.push_back(factor);
      return false;
    });
    return found;
  }

  bool made_with(double factor) const {
    return any_subset(
        [&](const std::vector<double>& sum) { return largest_gap(sum, factor) <= room; });
  }
  bool complete_with(double factor) const { return largest_gap(sum_of(all()), factor) <= room; }

 private:
  std::uint32_t all() const { return (1U << terms.size()) - 1U; }
  std::vector<double> sum_of(std::uint32_t kept) const {
    std::vector<double> sum(result.size());
    for (std::size_t j = 0; j < terms.size(); ++j) {
      for (std::size_t c = 0; (kept >> j & 1U) != 0 && c < sum.size(); ++c) sum[c] += terms[j][c];
    }
    return sum;
  }
};

/// x·M⁻¹ for several rows x by elimination, in place; false if M has no inverse.
bool divide_by(std::vector<std::vector<double>> m, std::vector<std::vector<double>>& rows) {
  const std::size_t n = m.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;  // M is symmetric: rows serve as columns
    for (std::size_t k = i + 1; k < n; ++k) {
      if (std::abs(m[k][i]) > std::abs(m[pivot][i])) pivot = k;
    }
    if (std::abs(m[pivot][i]) < 1e-9) return false;
    std::swap(m[i], m[pivot]);
    for (std::vector<double>& x : rows) std::swap(x[i], x[pivot]);
    for (std::size_t k = 0; k < n; ++k) {
      const double part = k == i ? 0.0 : m[k][i] / m[i][i];
      if (part == 0.0) continue;
      for (std::size_t c = i; c < n; ++c) m[k][c] -= part * m[i][c];
      for (std::vector<double>& x : rows) x[k] -= part * x[i];
    }
  }
  for (std::vector<double>& x : rows) {
    for (std::size_t i = 0; i < n; ++i) x[i] /= m[i][i];
  }
  return true;
}

/// The context that a wrong output came from: itself, or what times W_o gives it.
std::optional<Tensor> context_behind(const Case& known, const GradedAnswer& judged,
                                     const Step& context) {
  if (judged.step == &context) return *judged.theirs;
  const Step& output = *judged.step;
  const Index heads = context.value.heads(), d = context.value.cols();
  if (output.inputs[0] != "concat" && output.inputs[0] != context.id) return std::nullopt;
  std::vector<std::vector<double>> rows;
  for_each_slice(*judged.theirs, [&](Index b, Index h) {
    for (Index r = 0; r < judged.theirs->rows(); ++r) {
      const auto row = judged.theirs->row(b, h, r);
      rows.emplace_back(row.begin(), row.end());
    }
  });
  if (output.operation->name == std::string_view("linear")) {
    const Tensor& w = known.truth.input(output, 1).value;
    const auto n = static_cast<std::size_t>(w.rows());
    if (n > kWidest || w.cols() < w.rows()) return std::nullopt;
    const auto dot = [](std::span<const double> x, std::span<const double> y) {
      return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    };
    std::vector<std::vector<double>> squared(n, std::vector<double>(n));  // W·Wᵀ
    for (Index i = 0; i < w.rows(); ++i) {
      for (Index j = 0; j < w.rows(); ++j)
        squared[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            dot(w.row(0, 0, i), w.row(0, 0, j));
    }
    for (std::vector<double>& y : rows) {
      if (output.inputs.size() > 2) {
        const Tensor& bias = known.truth.input(output, 2).value;
        for (std::size_t c = 0; c < y.size(); ++c) y[c] -= bias.data()[c];
      }
      std::vector<double> times(n);  // y·Wᵀ
      for (Index i = 0; i < w.rows(); ++i)
        times[static_cast<std::size_t>(i)] = dot(w.row(0, 0, i), y);
      y = std::move(times);
    }
    if (!divide_by(std::move(squared), rows)) return std::nullopt;
  }
  if (rows.empty() || std::ssize(rows[0]) != heads * d) return std::nullopt;
  Tensor behind(context.value.shape());
  for (Index n = 0; n < std::ssize(rows); ++n) {
    for (Index i = 0; i < heads * d; ++i)
      behind.at({n / behind.rows(), i / d, n % behind.rows(), i % d}) =
          rows[static_cast<std::size_t>(n)][static_cast<std::size_t>(i)];
  }
  return behind;
}

/// The rows of a mixture that have few enough keys, those with the fewest first.
std::vector<MixedRow> mixed_rows(const Tensor& weights, const Tensor& values, const Tensor& made,
                                 double room) {
  std::vector<MixedRow> rows;
  const Index group = made.heads() / values.heads();
  for_each_slice(made, [&](Index b, Index h) {
    for (Index r = 0; r < made.rows(); ++r) {
      MixedRow row;
      row.room = room;
      for (Index j = 0; j < weights.cols(); ++j) {
        const double a = weights.at({b, h, r, j});
        if (a == 0.0) continue;
        std::vector<double>& term = row.terms.emplace_back();
        for (Index c = 0; c < made.cols(); ++c) term.push_back(a * values.at({b, h / group, j, c}));
      }
      const auto result = made.row(b, h, r);
      row.result.assign(result.begin(), result.end());
      if (row.terms.size() <= kMostKeys) rows.push_back(std::move(row));
    }
  });
  std::stable_sort(rows.begin(), rows.end(), [](const MixedRow& x, const MixedRow& y) {
    return x.terms.size() < y.terms.size();
  });
  return rows;
}

/// Dropped weights that nobody sees, by the mixtures that they make: in each row, some keys are
/// left out, and the others count more, by the same factor in all rows.
bool dropout_behind(const Case& known, GradedAnswer& judged) {
  const Step* context = Wiring(known.truth).mixture();
  const Step* output = known.truth.find("output");
  if (context == nullptr || known.truth.scopes.size() != 1 || !judged.theirs ||
      judged.filled_cells() < std::ssize(judged.theirs->data()) ||
      (judged.step != context && judged.step != output))
    return false;
  const Tensor* weights = known.follows.made(context->inputs[0]);
  const Tensor* values = known.follows.made(context->inputs[1]);
  if (weights == nullptr || values == nullptr ||
      !(weights->shape() == known.truth.input(*context, 0).value.shape()))
    return false;
  const std::optional<Tensor> made = context_behind(known, judged, *context);
  if (!made) return false;
  const double room = 8.0 * std::max(judged.close.tolerance, 1e-9);
  const std::vector<MixedRow> rows = mixed_rows(*weights, *values, *made, room);
  const auto tells = [](const MixedRow& row) { return row.tells(); };
  if (std::count_if(rows.begin(), rows.end(), tells) < kEnoughRows) return false;
  for (const double factor : std::find_if(rows.begin(), rows.end(), tells)->factors()) {
    const auto fits = [&](const MixedRow& row) { return row.made_with(factor); };
    const auto complete = [&](const MixedRow& row) { return row.complete_with(factor); };
    if (std::all_of(rows.begin(), rows.end(), complete) ||
        !std::all_of(rows.begin(), rows.end(), fits))
      continue;
    say_dropped(known, judged, judged.filled_cells(), factor);
    return true;
  }
  return false;
}

/// Whether every row of weights adds up to 1.
bool are_shares(const GradedAnswer& judged) {
  const Tensor& t = *judged.theirs;
  const double room =
      std::max(judged.close.tolerance, judged.close.grain) * static_cast<double>(t.cols());
  bool all = true;
  for_each_slice(t, [&](Index b, Index h) {
    for (Index r = 0; r < t.rows(); ++r) {
      const auto row = t.row(b, h, r);
      all = all && std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1.0) <= room;
    }
  });
  return all;
}

/// Some weights 0, all others larger by one factor.
bool dropped_weights(const Case& known, GradedAnswer& judged) {
  const Tensor* ours = known.follows.made(judged.step->id);
  if (judged.step->info().role != StepRole::Weights || ours == nullptr || !judged.theirs)
    return false;
  double factor = 0.0;
  Index dropped = 0, kept = 0;
  for (std::size_t i = 0; i < ours->data().size(); ++i) {
    const double a = ours->data()[i], t = judged.theirs->data()[i];
    if (!judged.filled(i) || a <= 2.0 * judged.close.tolerance) continue;
    if (t == 0.0) {
      ++dropped;
    } else {
      if (factor == 0.0 || a > 0.3) factor = factor == 0.0 ? t / a : factor;
      if (!(std::abs(t - factor * a) <= std::max(2.0 * judged.close.tolerance, 1e-9))) return false;
      ++kept;
    }
  }
  if (dropped < 1 || kept < 2 || factor <= kLeastFactor) return false;
  if (are_shares(judged)) return false;  // hidden and shared out again, not dropped
  say_dropped(known, judged, dropped + kept, factor);
  return true;
}

}  // namespace

bool name_dropout(const Case& known, GradedAnswer& judged) {
  return dropped_weights(known, judged) || dropout_behind(known, judged);
}

}  // namespace attn
