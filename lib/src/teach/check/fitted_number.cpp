// A number read off a wrong matrix, where it is none of the usual ones.
// A factor on the scores, the base of RoPE.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "teach/check/facts.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Index kRowsToFit = 16;
constexpr double kGoldenPart = 0.6180339887498949;
constexpr double kSameNumber = 1e-3;  // as near as this to the right one, it is no other number
constexpr Index kConfirmed = 9;       // one cell gives the number, eight confirm it

constexpr Index kFewParts = 4;  // in which a number is looked for that one part alone has

/// A mistake with a number that anybody may choose.
struct Fitted {
  const char* code;
  PartKind parts;  ///< what it is made in
  /// The change to one part; none if it cannot be made there.
  Recipe (*change)(const Wiring& w, double number);
  double (*right)(const Wiring& w);  ///< 0 where there is none
  /// Logarithms of the numbers that are tried first, from `low` to `high` beside that of the right
  /// one, or beside 0.
  bool beside_right;
  double low, high;
  int guesses;
};

Recipe other_scale(const Wiring& w, double factor) {
  if (!w.has("scores")) return {};
  Recipes recipes = scaled_by(w, factor);
  return recipes.empty() ? Recipe{} : std::move(recipes[0]);
}

double right_scale(const Wiring& w) {
  return w.has("scaled_scores") ? w.settings().scale.number : 1.0;
}

bool rotates(const Wiring& w) {
  return w.made_by("q_rotated", "rotate") && w.made_by("k_rotated", "rotate") &&
         w.find("q_rotated")->parameters.find("frequencies") == nullptr &&
         w.find("q_rotated")->parameters.count("rotary_dim") > 3;  // the first pair has no base
}

Recipe other_rope_base(const Wiring& w, double base) {
  if (!rotates(w)) return {};
  return {with("q_rotated", {{"base", base}}), with("k_rotated", {{"base", base}})};
}

double right_rope_base(const Wiring& w) {
  return rotates(w) ? w.find("q_rotated")->parameters.number("base") : 0.0;
}

Recipe other_norm_epsilon(const Wiring& w, double epsilon) {
  return {with(w.truth().steps.back().id, {{"epsilon", epsilon}})};
}

double right_norm_epsilon(const Wiring& w) {
  return w.truth().steps.back().parameters.number("epsilon");
}

constexpr std::array kFitted = {
    Fitted{"scale.other", PartKind::Attention, other_scale, right_scale, true, -4.16, 4.16, 49},
    Fitted{"rope.base", PartKind::Attention, other_rope_base, right_rope_base, false, 0.1, 23.0,
           230},
    Fitted{"norm.epsilon", PartKind::Norm, other_norm_epsilon, right_norm_epsilon, false, -28.0,
           2.0, 61},
};

/// The mistake with that number, in all parts or in one.
Candidate candidate_with(const Case& known, const Fitted& fitted, const Part* only, double number) {
  Candidate made{find_mistake_row(fitted.code), {}};
  made.fitted = 1;
  for (const Part& part : known.parts.of(fitted.parts)) {
    if (only != nullptr && only != &part) continue;
    const Wiring w(part.alone);
    for (Rewiring& each : part.lifted(fitted.change(w, number)))
      made.change.recipe.push_back(std::move(each));
  }
  if (known.truth.is_model()) made.scope = only == nullptr ? "*" : only->name;
  return made;
}

/// Σ of the squared differences in the first rows of a matrix; infinity if the number does not
/// matter there.
double misfit_of(const Case& known, const GradedAnswer& judged, const Candidate& candidate) {
  double total = kInfinity;
  const auto visit = [&](const std::string& id, const Tensor& made, bool anew, const Tensor*& own) {
    const GradedAnswer* each = known.find(id);
    if (each != nullptr && each != &judged && each->used()) own = &each->own;
    if (each != &judged || !anew) return true;
    const Tensor& theirs = *judged.theirs;
    const auto part = static_cast<std::size_t>(made.rows() * made.cols());
    const auto whole = static_cast<std::size_t>(theirs.rows() * theirs.cols());
    total = 0.0;
    for (std::size_t i = 0; i < made.data().size(); ++i) {
      const std::size_t at = i / part * whole + i % part;
      const double gap = made.data()[i] - theirs.data()[at];
      if (judged.filled(at) && std::isfinite(gap)) total += gap * gap;
    }
    return false;
  };
  const bool all_keys = !known.is_causal || judged.step->info().is_pairwise();
  const FirstRows first{.queries = known.truth.is_model() ? kAllRows : kRowsToFit,
                        .keys = all_keys ? kAllRows : kRowsToFit};
  const Evaluation tried(known.truth, known.follows, candidate.change, {judged.step->id}, visit,
                         first);
  known.search.work += tried.work();
  return total;
}

/// Where the misfit is least: the best of the first guesses, then golden sections around it.
template <typename Misfit>
double nearest(const Fitted& fitted, double origin, Misfit misfit) {
  const double step = (fitted.high - fitted.low) / (fitted.guesses - 1);
  double best = origin, least = kInfinity;
  for (int i = 0; i < fitted.guesses; ++i) {
    const double x = origin + fitted.low + i * step, y = misfit(x);
    if (y >= least) continue;
    least = y;
    best = x;
  }
  double low = best - step, high = best + step;
  double a = high - kGoldenPart * (high - low), b = low + kGoldenPart * (high - low);
  double at_a = misfit(a), at_b = misfit(b);
  while (high - low > 1e-9) {
    const bool go_left = at_a < at_b;
    (go_left ? high : low) = go_left ? b : a;
    (go_left ? b : a) = go_left ? a : b;
    (go_left ? at_b : at_a) = go_left ? at_a : at_b;
    double& anew = go_left ? a : b;
    anew = go_left ? high - kGoldenPart * (high - low) : low + kGoldenPart * (high - low);
    (go_left ? at_a : at_b) = misfit(anew);
  }
  return (low + high) / 2.0;
}

/// With three digits, as people choose a number.
double three_digits(double x) {
  const double unit = std::pow(10.0, std::floor(std::log10(x)) - 2.0);
  return std::round(x / unit) * unit;
}

/// Where a number has an effect: the misfits with the least and the greatest that is tried.
bool has_effect(const Case& known, const Fitted& fitted, const Part* only, std::size_t at,
                double origin) {
  const auto misfit = [&](double logarithm) {
    return misfit_of(known, known.answers[at],
                     candidate_with(known, fitted, only, std::exp(origin + logarithm)));
  };
  const double least = misfit(fitted.low);
  return !std::isinf(least) && least != misfit(fitted.high);
}

bool name_fitted(const Case& known, const Fitted& fitted, const Part* only, std::size_t at) {
  GradedAnswer& judged = known.answers[at];
  const std::vector<Part>& parts = known.parts.of(fitted.parts);
  if (parts.empty()) return false;
  const double right = fitted.right(Wiring((only == nullptr ? parts.front() : *only).alone));
  if (!(right > 0.0) || candidate_with(known, fitted, only, right / 2.0).change.recipe.empty())
    return false;
  const double origin = fitted.beside_right ? std::log(right) : 0.0;
  if (!has_effect(known, fitted, only, at, origin)) return false;
  const auto misfit = [&](double logarithm) {
    if (known.search.work > known.search.most_work) return kInfinity;
    return misfit_of(known, judged, candidate_with(known, fitted, only, std::exp(logarithm)));
  };
  const double found = std::exp(nearest(fitted, origin, misfit));
  const std::vector<std::size_t> apart = right_all_the_same(known, at);
  std::vector<double> residuals(known.answers.size());
  for (const double number : {three_digits(found), found}) {
    if (std::abs(number - right) < kSameNumber * right) continue;
    const Candidate candidate = candidate_with(known, fitted, only, number);
    const bool explains = try_out(known, candidate, at, {}, residuals).possible &&
                          residuals[at] < kInfinity && all_made(apart, residuals);
    if (!explains) continue;
    const Index filled = judged.filled_cells();
    const std::vector<CellVerdict>& cells = judged.report.cells;
    const Index wrong = std::count(cells.begin(), cells.end(), CellVerdict::Wrong);
    const bool alone = known.search.near.empty() && known.search.left_out.empty();
    Finding finding = finding_of(candidate.row->words, filled, filled,
                                 wrong < kConfirmed ? Confidence::Possible
                                 : alone            ? Confidence::Certain
                                                    : Confidence::Likely);
    finding.same_as.assign(known.search.near.begin(), known.search.near.end());
    finding.scope = candidate.scope;
    finding.facts = facts_of(known.truth, candidate);
    judged.report.findings.push_back(std::move(finding));
    return true;
  }
  return false;
}

/// The same in one part of a whole model, if few of them have an effect.
bool name_fitted_in_part(const Case& known, const Fitted& fitted, std::size_t at) {
  if (!known.truth.is_model()) return false;
  std::vector<const Part*> few;
  for (const Part& part : known.parts.of(fitted.parts)) {
    if (std::ssize(few) > kFewParts) return false;
    const double right = fitted.right(Wiring(part.alone));
    const double origin = fitted.beside_right && right > 0.0 ? std::log(right) : 0.0;
    if (right > 0.0 && has_effect(known, fitted, &part, at, origin)) few.push_back(&part);
  }
  return std::ssize(few) <= kFewParts && std::any_of(few.begin(), few.end(), [&](const Part* part) {
           return name_fitted(known, fitted, part, at);
         });
}

}  // namespace

bool name_fitted_number(const Case& known, std::size_t at) {
  const GradedAnswer& judged = known.answers[at];
  if (!judged.theirs || judged.step->info().role == StepRole::Mask) return false;
  return std::any_of(kFitted.begin(), kFitted.end(),
                     [&](const Fitted& each) { return name_fitted(known, each, nullptr, at); }) ||
         std::any_of(kFitted.begin(), kFitted.end(),
                     [&](const Fitted& each) { return name_fitted_in_part(known, each, at); });
}

}  // namespace attn
