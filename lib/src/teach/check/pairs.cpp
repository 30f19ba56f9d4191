// Two mistakes that explain a matrix together.
#include <algorithm>
#include <utility>

#include "teach/check/equivalent.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Index kMostTokens = 64;
constexpr Index kFewForPairs = 3;   // queries that rule most pairs out
constexpr Index kMostVariants = 8;  // of one mistake: the usual ones come first

/// Whether a candidate alters answer `at`, computed from the student's own matrices.
bool alters(const Case& known, const Candidate& candidate, std::size_t at) {
  bool altered = false;
  const std::string& wanted = known.answers[at].step->id;
  const auto visit = [&](const std::string& id, const Tensor&, bool anew, const Tensor*& own) {
    GradedAnswer* judged = known.find(id);
    if (judged != nullptr && judged->used()) own = &judged->own;
    altered = altered || (id == wanted && anew);
    return true;
  };
  Evaluation(known.truth, known.follows, candidate.change, {wanted}, visit);
  return altered;
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
  const bool mixes = one.row->mixes_queries || other.row->mixes_queries;
  const bool many = known.truth.settings().n_queries > 2 * kFewForPairs;
  try {
    const FirstRows few{.queries = mixes || !many ? kAllRows : kFewForPairs};
    if (!explains({.first = few, .only_here = true}) || !explains({})) return kInfinity;
  } catch (const std::invalid_argument&) {  // both make the same extra step
    return kInfinity;
  }
  return all_made(apart, residuals) ? residuals[at] : kInfinity;
}

}  // namespace

bool name_pair(const Case& known, const std::vector<Candidate>& all, std::size_t at) {
  const Settings& s = known.truth.settings();
  if (s.n_queries > kMostTokens || s.n_keys > kMostTokens) return false;
  std::vector<const Candidate*> near;
  for (const Candidate& each : all) {
    const bool usual = !is_equivalent(*each.row) && !each.row->swaps_axes &&
                       std::count_if(near.begin(), near.end(), [&](const Candidate* other) {
                         return other->row == each.row;
                       }) < kMostVariants;
    if (usual && alters(known, each, at)) near.push_back(&each);
  }
  const std::vector<std::size_t> apart = right_all_the_same(known, at);
  std::pair<const Candidate*, const Candidate*> best;
  double least = kInfinity;
  for (std::size_t i = 0; i < near.size(); ++i) {
    for (std::size_t j = i + 1; j < near.size(); ++j) {
      if (near[i]->row == near[j]->row) continue;
      const double gap = gap_of(known, *near[i], *near[j], at, apart);
      if (gap >= least) continue;
      least = gap;
      best = {near[i], near[j]};
    }
  }
  if (least == kInfinity) return false;
  GradedAnswer& judged = known.answers[at];
  const Index filled = judged.filled_cells();
  for (const auto& [one, other] : {best, std::pair{best.second, best.first}}) {
    Finding finding = finding_of(one->row->words, filled, filled, Confidence::Possible);
    finding.message +=
        " Together with " + std::string(other->row->words.code) + ", this explains the matrix.";
    judged.report.findings.push_back(std::move(finding));
  }
  return true;
}

}  // namespace attn
