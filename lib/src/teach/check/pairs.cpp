// Two mistakes that explain a matrix together.
#include <algorithm>
#include <limits>

#include "teach/check/equivalent.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Index kMostTokens = 64;
constexpr Index kFew = 3;  // queries that rule most pairs out

/// The largest difference of answer `at` from what a change makes of the student's own matrices;
/// infinity also if the change contradicts a later step that is settled, or leaves this one alone.
double tried(const Case& known, const Variation& change, std::size_t at,
             Index most_queries = kAllQueries) {
  double here = std::numeric_limits<double>::infinity();
  bool possible = true;
  const auto visit = [&](const std::string& id, const Tensor& made, bool anew, const Tensor*& own) {
    Judged* judged = known.find(id);
    if (judged == nullptr) return true;
    const auto i = static_cast<std::size_t>(judged - known.answers.data());
    if (judged->used) own = &judged->own;
    if (!anew || i < at) return true;
    const double gap = residual(*judged, made, most_queries != kAllQueries);
    if (i == at) here = gap;
    const bool settled =
        judged->report.verdict == Verdict::Right || judged->report.verdict == Verdict::Follows;
    if (gap == std::numeric_limits<double>::infinity() && (i == at || settled)) possible = false;
    return possible;
  };
  Evaluation(known.truth, known.follows, change, known.ids(), visit, most_queries);
  return possible ? here : std::numeric_limits<double>::infinity();
}

/// Whether a change alters answer `at`, computed from the student's own matrices.
bool alters(const Case& known, const Variation& change, std::size_t at) {
  bool altered = false;
  const std::string& wanted = known.answers[at].step->id;
  const auto visit = [&](const std::string& id, const Tensor&, bool anew, const Tensor*& own) {
    Judged* judged = known.find(id);
    if (judged != nullptr && judged->used) own = &judged->own;
    altered = altered || (id == wanted && anew);
    return true;
  };
  Evaluation(known.truth, known.follows, change, {wanted}, visit);
  return altered;
}

}  // namespace

bool name_pair(const Case& known, const std::vector<Candidate>& all, std::size_t at) {
  const Settings& s = known.truth.settings();
  if (s.n_queries > kMostTokens || s.n_keys > kMostTokens) return false;
  std::vector<const Candidate*> near;
  for (const Candidate& each : all) {
    if (!is_equivalent(*each.row) && alters(known, each.change, at)) near.push_back(&each);
  }
  const Candidate *first = nullptr, *second = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < near.size(); ++i) {
    for (std::size_t j = i + 1; j < near.size(); ++j) {
      if (near[i]->row == near[j]->row) continue;
      Variation both = near[i]->change;
      both.recipe.insert(both.recipe.end(), near[j]->change.recipe.begin(),
                         near[j]->change.recipe.end());
      double gap = std::numeric_limits<double>::infinity();
      try {
        const bool mixes = near[i]->row->mixes_queries || near[j]->row->mixes_queries;
        const bool hopeless =
            !mixes && s.n_queries > 2 * kFew &&
            tried(known, both, at, kFew) == std::numeric_limits<double>::infinity();
        if (!hopeless) gap = tried(known, both, at);
      } catch (const std::invalid_argument&) {  // both make the same extra step
      }
      if (gap >= least) continue;
      least = gap;
      first = near[i];
      second = near[j];
    }
  }
  if (first == nullptr) return false;
  Judged& judged = known.answers[at];
  Index filled = 0;
  for (std::size_t i = 0; i < judged.answer->numbers.size(); ++i)
    filled += judged.state(i) == CellState::Filled;
  for (const auto& [one, other] : {std::pair{first, second}, std::pair{second, first}}) {
    const Mistake& words = one->row->words;
    judged.report.findings.push_back({.code = words.code,
                                      .confidence = Confidence::Possible,
                                      .matched = filled,
                                      .of = filled,
                                      .message = std::string(words.explanation) +
                                                 " This explains the matrix together with " +
                                                 other->row->words.code + ".",
                                      .hint = words.hint,
                                      .see = words.see});
  }
  return true;
}

}  // namespace attn
