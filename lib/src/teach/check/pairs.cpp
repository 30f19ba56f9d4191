// Two mistakes that explain a matrix together.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "teach/check/equivalent.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/model_search.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Index kMostTokens = 64;
constexpr Index kFewForPairs = 3;          // queries that rule most pairs out
constexpr Index kMostVariants = 8;         // of one mistake: the usual ones come first
constexpr Index kMostWeights = 2'000'000;  // of a whole model: mistakes replace matrices

constexpr Index kByChance = 8;  // of so many wrong cells, one that agrees may be wrong, too

/// Whether a matrix differs from an answer in cells that agree with the right one, and these are
/// not few beside those that are wrong: a small weight, for example, is nearly that of a hidden
/// key.
bool changes_agreeing(const GradedAnswer& answer, const Tensor& made) {
  Index changed = 0;
  for (std::size_t i = 0; i < answer.report.cells.size(); ++i) {
    const CellVerdict cell = answer.report.cells[i];
    if (cell != CellVerdict::Right && cell != CellVerdict::Follows) continue;
    changed += !answer.close.agree(answer.theirs->data()[i], made.data()[i]);
  }
  return kByChance * changed > count(answer.report.cells, CellVerdict::Wrong);
}

/// Whether a matrix is finite in the same wrong cells as an answer.
bool is_finite_alike(const GradedAnswer& answer, const Tensor& made) {
  for (std::size_t i = 0; i < answer.report.cells.size(); ++i) {
    if (answer.report.cells[i] == CellVerdict::Wrong &&
        answer.is_not_finite(i) == std::isfinite(made.data()[i]))
      return false;
  }
  return true;
}

/// What a candidate makes of answer `at`, alone.
struct Effect {
  bool is_possible = false;  ///< it may be one of two mistakes
  bool makes_nan = false;    ///< ∞ and NaN are where they are in the answer
};

/// A candidate of a pair alters the answer, computed from the student's own matrices, but none of
/// its cells that agree: another mistake would have to undo just that.
Effect effect_of(const Case& known, const Candidate& candidate, std::size_t at) {
  const GradedAnswer& answer = known.answers[at];
  bool altered = false, undoes = false, alike = false;
  const auto visit = [&](const std::string& id, const Tensor& made, bool anew, const Tensor*& own) {
    GradedAnswer* judged = known.find(id);
    if (judged != nullptr && judged->used()) own = &judged->own;
    if (judged != &answer || !anew) return true;
    altered = true;
    const bool fits = answer.theirs && made.shape() == answer.theirs->shape();
    undoes = fits && changes_agreeing(answer, made);
    alike = fits && is_finite_alike(answer, made);
    return true;
  };
  known.search.work +=
      Evaluation(known.truth, known.follows, candidate.change, {answer.step->id}, visit).work();
  return {altered && !undoes, alike};
}

/// The largest difference of answer `at` from what both make together; infinity if they do not
/// explain it, contradict what is settled or `apart`, or cannot be combined.
double gap_of(const Case& known, const Candidate& one, const Candidate& other, std::size_t at,
              const std::vector<std::size_t>& apart) {
  Candidate both = one;
  both.change.recipe.insert(both.change.recipe.end(), other.change.recipe.begin(),
                            other.change.recipe.end());
  both.change.plan = nullptr;
  std::vector<double> residuals(known.answers.size());
  const auto explains = [&](const Trying& how) {
    return try_out(known, both, at, how, residuals).possible && residuals[at] < kInfinity;
  };
  FirstRows few;
  if (known.truth.is_model()) {
    const bool pairwise = known.answers[at].step->info().is_pairwise();
    const bool all = looks_ahead(*one.row) || looks_ahead(*other.row) || pairwise;
    if (known.is_causal && !all) few.keys = known.first_wrong_row(at) + 1;
  } else if (!one.row->mixes_queries && !other.row->mixes_queries &&
             known.truth.settings().n_queries > 2 * kFewForPairs) {
    few.queries = kFewForPairs;
  }
  try {
    if (!explains({.first = few, .only_here = true}) || !explains({})) return kInfinity;
  } catch (const std::logic_error&) {  // both make the same step, or one what the other cannot use
    return kInfinity;
  }
  return all_made(apart, residuals) ? residuals[at] : kInfinity;
}

bool is_spent(const Case& known) {
  return known.truth.is_model() && known.search.work > known.search.most_work;
}

using Pair = std::pair<const Candidate*, const Candidate*>;

/// The two of `all` that explain answer `at` best, or none. Two mistakes that make NaN together
/// prove nothing: where there is NaN, one of them must make it alone.
Pair best_pair(const Case& known, const std::vector<Candidate>& all, std::size_t at) {
  const GradedAnswer& answer = known.answers[at];
  const bool finite = answer.not_finite_cells() == 0;
  if (!finite && count(answer.report.cells, CellVerdict::Wrong) - answer.not_finite_cells() < 2)
    return {};
  std::vector<const Candidate*> near;
  std::set<const Candidate*> of_nan;
  for (const Candidate& each : all) {
    const auto alike = [&](const Candidate* other) {
      return other->row == each.row && other->scope == each.scope;
    };
    const bool usual = !is_equivalent(*each.row) && !each.row->swaps_axes &&
                       std::count_if(near.begin(), near.end(), alike) < kMostVariants;
    const Effect effect = usual && !is_spent(known) ? effect_of(known, each, at) : Effect{};
    if (effect.is_possible) near.push_back(&each);
    if (effect.makes_nan) of_nan.insert(&each);
  }
  const std::vector<std::size_t> apart = right_all_the_same(known, at);
  Pair best;
  double least = kInfinity;
  for (std::size_t i = 0; i < near.size(); ++i) {
    for (std::size_t j = i + 1; j < near.size() && !is_spent(known); ++j) {
      const bool nan = of_nan.contains(near[i]) || of_nan.contains(near[j]);
      if (near[i]->row == near[j]->row || !(finite || nan)) continue;
      const double gap = gap_of(known, *near[i], *near[j], at, apart);
      if (gap >= least) continue;
      least = gap;
      best = {near[i], near[j]};
    }
  }
  return best;
}

void name(const Pair& pair, GradedAnswer& judged) {
  const Index filled = judged.filled_cells();
  for (const auto& [one, other] : {pair, Pair{pair.second, pair.first}}) {
    Finding finding = finding_of(one->row->words, filled, filled, Confidence::Possible);
    finding.message +=
        " Together with " + std::string(other->row->words.code) + ", this explains the matrix.";
    finding.scope = one->scope;
    judged.report.findings.push_back(std::move(finding));
  }
}

}  // namespace

bool name_pair(const Case& known, const std::vector<Candidate>& all, std::size_t at) {
  const Settings& s = known.truth.settings();
  if (s.n_queries > kMostTokens || s.n_keys > kMostTokens) return false;
  const auto named = [&](const std::vector<Candidate>& candidates) {
    const Pair best = best_pair(known, candidates, at);
    if (best.first != nullptr) name(best, known.answers[at]);
    return best.first != nullptr;
  };
  if (!known.truth.is_model()) return named(all);
  Index weights = 0;
  for (const Step& given : known.truth.givens) weights += given.value.shape().count();
  if (weights > kMostWeights) return false;
  return std::any_of(std::begin(kSpreads), std::end(kSpreads), [&](Spread spread) {
    return !is_spent(known) && named(candidates_in_parts(known, at, spread, kMostVariants));
  });
}

}  // namespace attn
