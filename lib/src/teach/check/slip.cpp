// Slips: wrong cells that a moment of inattention explains.
#include "teach/check/slip.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "attn/number_text.hpp"
#include "core/tensor/slices.hpp"
#include "teach/check/finding.hpp"

namespace attn {
namespace {

constexpr std::array kLastDigits = {0.0, -1.0, 1.0, -2.0, 2.0};

/// The wrong cells of a matrix: what is written, and what was expected in its place.
struct WrongCells {
  NumberSpan theirs, expected;
  Closeness close;
  double own_grain;  ///< of what was filled in
  std::vector<std::size_t> at;

  double written(std::size_t i) const { return theirs[i]; }
  double wanted(std::size_t i) const { return expected[i]; }
};

bool other_sign(const WrongCells& w, std::size_t i) {
  return w.close.agree(-w.written(i), w.wanted(i));
}

/// Whether both numbers have digits that could be wrong: ∞ has none.
bool has_digits(const WrongCells& w, std::size_t i) {
  return std::isfinite(w.written(i)) && std::isfinite(w.wanted(i));
}

/// The number may have been rounded before the point was misplaced, but no further than the
/// tolerance allows: 7 is not 1 with another point. 0 has no point to misplace.
bool other_point(const WrongCells& w, std::size_t i) {
  const bool small = std::abs(w.wanted(i)) < 5.0 * w.close.tolerance;
  if (!has_digits(w, i) || w.written(i) == 0.0 || small) return false;
  const double rounding = std::min(0.5 * w.close.grain, w.close.tolerance);
  for (const double factor : {0.001, 0.01, 0.1, 10.0, 100.0, 1000.0}) {
    const double room =
        std::max({rounding, 0.005 * std::abs(w.wanted(i)), 1e-9}) * std::max(1.0, factor);
    if (std::abs(w.written(i) - w.wanted(i) * factor) <= room) return true;
  }
  return false;
}

/// Whether another wrong cell holds what belongs here, and the other way round. Among very many
/// cells that would be chance.
bool exchanged(const WrongCells& w, std::size_t i) {
  if (w.at.size() > 1000) return false;
  return std::any_of(w.at.begin(), w.at.end(), [&](std::size_t j) {
    return j != i && w.close.agree(w.written(i), w.wanted(j)) &&
           w.close.agree(w.written(j), w.wanted(i));
  });
}

/// Whether all that was filled in has fewer decimals than matter: 0.3 or 0.2 for 0.257. A lone
/// number that ends early is not enough, and neither are whole numbers.
bool kept_too_few_decimals(const WrongCells& w, std::size_t i) {
  const double written = w.written(i), wanted = w.wanted(i);
  if (w.own_grain >= 1.0) return false;
  for (double unit = w.own_grain; unit > 2.0 * w.close.tolerance; unit /= 10.0) {
    const auto off = [&](double x) { return std::abs(x / unit - std::round(x / unit)) * unit; };
    if (off(written) > 1e-6 * unit) continue;
    const double gap = std::abs(written - wanted);
    const bool cut = std::abs(written) < std::abs(wanted);
    return off(wanted) > w.close.tolerance && gap <= (cut ? unit : unit / 2) + w.close.tolerance;
  }
  return false;
}

bool nearly(const WrongCells& w, std::size_t i) {
  return has_digits(w, i) && (std::abs(w.written(i) - w.wanted(i)) <= 3.0 * w.close.tolerance ||
                              kept_too_few_decimals(w, i));
}

/// One digit is wrong, or two neighbours are swapped, among as many decimals as were written.
bool other_digit_of(const WrongCells& w, std::size_t i, double wanted) {
  const double grain = std::max(w.close.grain, 1e-6);
  const int decimals = static_cast<int>(std::lround(-std::log10(grain)));
  constexpr std::size_t kDigits = 23;  // 1e15 with six decimals
  const auto digits = [&](double x) {
    const std::string text = format_fixed(std::abs(x), decimals);
    return (std::signbit(x) ? "-" : "+") + std::string(kDigits - text.size(), '0') + text;
  };
  if (std::abs(w.written(i)) > 1e15 || std::abs(wanted) > 1e15) return false;
  const std::string a = digits(w.written(i)), b = digits(wanted);
  std::vector<std::size_t> differ;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    if (a[k] != b[k]) differ.push_back(k);
  }
  if (differ.size() == 1) return a[differ[0]] != '-' && a[differ[0]] != '+';
  return differ.size() == 2 && differ[1] == differ[0] + 1 && a[differ[0]] == b[differ[1]] &&
         a[differ[1]] == b[differ[0]];
}

/// The same, allowing for a last digit that is off because earlier numbers were rounded.
bool other_digit(const WrongCells& w, std::size_t i) {
  return std::any_of(kLastDigits.begin(), kLastDigits.end(), [&](double more) {
    return other_digit_of(w, i, w.wanted(i) + more * w.close.grain);
  });
}

constexpr std::array kFewDecimals = {1.0, 0.1, 0.01};

struct SlipRow {
  const char* code;
  bool (*explains)(const WrongCells& cells, std::size_t i);
  bool any_number;  ///< explains any number of cells; other slips only a few
};

constexpr std::array kSlips = {
    SlipRow{"slip.neighbour", exchanged, true}, SlipRow{"slip.decimal_point", other_point, false},
    SlipRow{"slip.rounded_early", nearly, true}, SlipRow{"slip.sign", other_sign, false},
    SlipRow{"slip.digit", other_digit, false}};

Finding slip_of(const char* code, Basis basis, Index matched, Index of) {
  return finding_of(*find_mistake(code), matched, of, Confidence::Possible, basis);
}

/// What softmax makes of e^x with few decimals.
Tensor softmax_of_rounded(const Tensor& scores, double unit) {
  Tensor weights = scores;
  for_each_slice(weights, [&](Index b, Index h) {
    for (Index r = 0; r < weights.rows(); ++r) {
      const auto row = weights.row(b, h, r);
      double total = 0.0;
      for (double& x : row) total += x = std::round(std::exp(x) / unit) * unit;
      for (double& x : row) x /= total;
    }
  });
  return weights;
}

/// Whether weights come from e^x with no, one or two decimals.
bool rounded_inside(const Case& known, const GradedAnswer& judged) {
  if (judged.step->operation->name != std::string_view("softmax")) return false;
  const GradedAnswer* given = known.find(judged.step->inputs[0]);
  const bool own = given != nullptr && given->used();
  const Tensor* scores = own ? &given->own : known.follows.made(judged.step->inputs[0]);
  if (scores == nullptr || !(scores->shape() == judged.step->value.shape())) return false;
  return std::any_of(kFewDecimals.begin(), kFewDecimals.end(), [&](double unit) {
    return residual(judged, softmax_of_rounded(*scores, unit)) < kInfinity;
  });
}

}  // namespace

bool name_slips(const Case& known, GradedAnswer& judged) {
  if (judged.step->info().role == StepRole::Mask) return false;  // 0 for 1 is not a wrong digit
  const Tensor* follows = known.follows.made(judged.step->id);
  if (!judged.theirs || follows == nullptr || !(follows->shape() == judged.step->value.shape()))
    return false;
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
    if (judged.report.cells[i] == CellVerdict::Wrong) at.push_back(i);
  }
  const Index of = std::ssize(at);
  constexpr Index kEnough = 3;  // numbers that say how many decimals somebody keeps
  const double grain = judged.filled_cells() < kEnough ? judged.close.grain : judged.own_grain();
  std::vector<Finding>& findings = judged.report.findings;
  for (const Tensor* expected : {follows, &judged.step->value}) {
    const WrongCells wrong{judged.theirs->data(), expected->data(), judged.close, grain, at};
    const Basis basis = expected == follows ? Basis::Own : Basis::True;
    std::vector<Finding> all, some;  // slips for all wrong cells; slips for further ones
    std::vector<bool> done(at.size());
    for (const SlipRow& slip : kSlips) {
      if (!slip.any_number && of > std::max<Index>(2, judged.filled_cells() / 8)) continue;
      Index matched = 0, further = 0;
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (!slip.explains(wrong, at[k])) continue;
        ++matched;
        further += !done[k];
        done[k] = true;
      }
      if (matched == of) all.push_back(slip_of(slip.code, basis, of, of));
      if (further > 0) some.push_back(slip_of(slip.code, basis, further, of));
    }
    if (at.empty() || std::count(done.begin(), done.end(), false) > 0) continue;
    if (all.empty()) {
      findings.insert(findings.end(), some.begin(), some.end());
      return true;
    }
    for (std::size_t k = 1; k < all.size(); ++k) all[0].same_as.push_back(all[k].code);
    findings.push_back(std::move(all[0]));
    return true;
  }
  if (at.empty() || !rounded_inside(known, judged)) return false;
  findings.push_back(slip_of("slip.rounded_early", Basis::Own, of, of));
  return true;
}

}  // namespace attn
