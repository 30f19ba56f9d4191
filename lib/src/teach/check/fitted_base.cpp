// The base of RoPE read off a matrix, where it is none of the usual ones.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Index kFewForBase = 16;    // queries that the base is fitted to
constexpr Index kConfirming = 9;     // wrong cells that make a fitted number certain
constexpr double kMostBase = 1e10;   // beyond those of published models
constexpr double kGridStep = 0.1;    // of the logarithm
constexpr double kOtherBase = 0.05;  // a base as near as this to the right one is no other base
constexpr int kCuts = 48;            // each leaves 0.62 of where the base may be

Recipe with_base(double base) {
  return {with("q_rotated", {{"base", base}}), with("k_rotated", {{"base", base}})};
}

/// How far the first rows of a matrix are from what a base makes of them: the sum of squares.
double distance_of(const Case& known, const GradedAnswer& judged, double log_base) {
  double sum = 0.0;
  const auto compare = [&](const std::string& id, const Tensor& made, bool, const Tensor*& own) {
    const GradedAnswer* other = known.find(id);
    if (other != &judged) {
      if (other != nullptr && other->used()) own = &other->own;
      return true;
    }
    const auto part = static_cast<std::size_t>(made.rows() * made.cols());
    const Tensor& theirs = *judged.theirs;
    const auto all = static_cast<std::size_t>(theirs.rows() * theirs.cols());
    for (std::size_t i = 0; i < made.data().size(); ++i) {
      const std::size_t at = i / part * all + i % part;
      const double gap = made.data()[i] - theirs.data()[at];
      if (judged.filled(at) && std::isfinite(gap)) sum += gap * gap;
    }
    return false;
  };
  const Variation change{.recipe = with_base(std::exp(log_base))};
  const Evaluation made(known.truth, known.follows, change, {judged.step->id}, compare,
                        kFewForBase);
  known.work += made.work();
  return sum;
}

/// Between which logarithms of a base the nearest one is: the best of a grid, and its neighbours.
template <typename Distance>
std::pair<double, double> around_nearest(Distance distance) {
  double best = 0.0, least = kInfinity;
  for (double at = kGridStep; at <= std::log(kMostBase); at += kGridStep) {
    const double found = distance(at);
    if (found < least) {
      least = found;
      best = at;
    }
  }
  return {best - kGridStep, best + kGridStep};
}

/// The minimum of `distance` between two places, by golden sections.
template <typename Distance>
double nearest_between(double low, double high, Distance distance) {
  const double golden = (std::sqrt(5.0) - 1.0) / 2.0;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = distance(left), at_right = distance(right);
  for (int cut = 0; cut < kCuts; ++cut) {
    const bool go_left = at_left < at_right;
    (go_left ? high : low) = go_left ? right : left;
    (go_left ? right : left) = go_left ? left : right;
    (go_left ? at_right : at_left) = go_left ? at_left : at_right;
    double& anew = go_left ? left : right;
    anew = go_left ? high - golden * (high - low) : low + golden * (high - low);
    (go_left ? at_left : at_right) = distance(anew);
  }
  return (low + high) / 2.0;
}

/// With three digits, as people choose a number.
double three_digits(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 2.0);
  return std::round(x / unit) * unit;
}

}  // namespace

bool name_fitted_base(const Case& known, GradedAnswer& judged) {
  const Wiring w(known.truth);
  const bool rotates = w.made_by("q_rotated", "rotate") && w.made_by("k_rotated", "rotate");
  if (!rotates || !judged.theirs || w.find("q_rotated")->parameters.count("rotary_dim") < 4)
    return false;
  const std::vector<CellVerdict>& cells = judged.report.cells;
  const Index wrong = std::count(cells.begin(), cells.end(), CellVerdict::Wrong);
  if (wrong < kConfirming) return false;
  const auto distance = [&](double log_base) { return distance_of(known, judged, log_base); };
  if (distance(kGridStep) == distance(1.0)) return false;  // it does not depend on the base
  const auto [low, high] = around_nearest(distance);
  const double fitted = std::exp(nearest_between(low, high, distance));
  const auto at = static_cast<std::size_t>(&judged - known.answers.data());
  const std::vector<std::size_t> apart = right_all_the_same(known, at);
  std::vector<double> residuals(known.answers.size());
  const double right = w.find("q_rotated")->parameters.number("base");
  for (const double base : {three_digits(fitted), fitted}) {
    if (std::abs(base - right) < kOtherBase * right) continue;
    const Candidate candidate{find_mistake_row("rope.base"), {.recipe = with_base(base)}};
    if (!try_out(known, candidate, at, {}, residuals)) continue;
    if (residuals[at] == kInfinity || !all_made(apart, residuals)) continue;
    const Index filled = judged.filled_cells();
    Finding finding = finding_of(candidate.row->words, filled, filled);
    finding.message += attn::filled(" This matrix is made with {}.", format_digits(base, 6));
    judged.report.findings.push_back(std::move(finding));
    return true;
  }
  return false;
}

}  // namespace attn
