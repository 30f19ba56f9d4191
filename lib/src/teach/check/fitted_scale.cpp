// The factor on the scores that comes closest to a wrong matrix: a scale that no rule gives.
#include <algorithm>
#include <cmath>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Index kQueriesToFit = 16;
constexpr double kFurthest = 64.0;  // times the right factor, or a part of it
constexpr int kSteps = 49;          // of the factors tried first: odd, so that one is the right one
constexpr double kGoldenPart = 0.6180339887498949;

Candidate scaled_candidate(const Trace& truth, double factor) {
  Recipes recipes = scaled_by(Wiring(truth), factor);
  return {find_mistake_row("scale.other"),
          {.recipe = recipes.empty() ? Recipe{} : std::move(recipes[0])},
          true};
}

/// Σ of the squared differences in the first rows of a matrix, for one factor.
class Misfit {
 public:
  Misfit(const Case& known, const GradedAnswer& judged) : known_(known), judged_(judged) {}

  double operator()(double log_factor) const {
    const Candidate candidate = scaled_candidate(known_.truth, std::exp(log_factor));
    double total = 0.0;
    bool made_it = false;
    const auto visit = [&](const std::string& id, const Tensor& made, bool anew,
                           const Tensor*& own) {
      GradedAnswer* each = known_.find(id);
      if (each != nullptr && each != &judged_ && each->used()) own = &each->own;
      if (each != &judged_ || !anew) return true;
      made_it = true;
      total = compare(made);
      return false;
    };
    const Evaluation tried(known_.truth, known_.follows, candidate.change, {judged_.step->id},
                           visit, kQueriesToFit);
    known_.work += tried.work();
    return made_it ? total : kInfinity;
  }

 private:
  double compare(const Tensor& made) const {
    const Tensor& theirs = *judged_.theirs;
    const auto part = static_cast<std::size_t>(made.rows() * made.cols());
    const auto whole = static_cast<std::size_t>(theirs.rows() * theirs.cols());
    double total = 0.0;
    for (std::size_t i = 0; i < made.data().size(); ++i) {
      const std::size_t at = i / part * whole + i % part;
      const double gap = made.data()[i] - theirs.data()[at];
      if (judged_.filled(at) && std::isfinite(gap)) total += gap * gap;
    }
    return total;
  }

  const Case& known_;
  const GradedAnswer& judged_;
};

/// Where the misfit is least: the best of the first guesses, then golden sections around it.
double best_log_factor(const Misfit& misfit, double right) {
  const double step = 2.0 * std::log(kFurthest) / (kSteps - 1);
  double best = right, least = kInfinity;
  for (int i = 0; i < kSteps; ++i) {
    const double x = right - std::log(kFurthest) + i * step, y = misfit(x);
    if (y < least) {
      least = y;
      best = x;
    }
  }
  double low = best - step, high = best + step;
  double a = high - kGoldenPart * (high - low), b = low + kGoldenPart * (high - low);
  double at_a = misfit(a), at_b = misfit(b);
  while (high - low > 1e-9) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGoldenPart * (high - low);
      at_a = misfit(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGoldenPart * (high - low);
      at_b = misfit(b);
    }
  }
  return (low + high) / 2.0;
}

}  // namespace

bool name_scale(const Case& known, std::size_t at) {
  GradedAnswer& judged = known.answers[at];
  const Step* scaled = known.truth.find("scaled_scores");
  const StepRole role = judged.step->info().role;
  if (!judged.theirs || known.truth.scopes.size() != 1 || role == StepRole::Mask ||
      known.truth.find("scores") == nullptr)
    return false;
  const double right = scaled == nullptr ? 1.0 : scaled->scope->settings.scale.number;
  if (!(right > 0.0) || scaled_candidate(known.truth, right / 2.0).change.recipe.empty())
    return false;
  const Misfit misfit(known, judged);
  if (std::isinf(misfit(std::log(right / 2.0)))) return false;  // it does not depend on the scale
  const double factor = std::exp(best_log_factor(misfit, std::log(right)));
  std::vector<double> residuals(known.answers.size());
  if (!try_out(known, scaled_candidate(known.truth, factor), at, {}, residuals).possible ||
      std::isinf(residuals[at]))
    return false;
  constexpr Index kConfirmed = 9;  // one cell gives the factor, eight confirm it
  const Index filled = judged.filled_cells();
  const Index wrong =
      std::count(judged.report.cells.begin(), judged.report.cells.end(), CellVerdict::Wrong);
  Finding finding = finding_of(*find_mistake("scale.other"), filled, filled,
                               wrong < kConfirmed ? Confidence::Possible : Confidence::Certain);
  finding.message += attn::filled(" The factor is {}, but {} is right.", format_digits(factor, 4),
                                  format_digits(right, 4));
  judged.report.findings.push_back(std::move(finding));
  return true;
}

}  // namespace attn
