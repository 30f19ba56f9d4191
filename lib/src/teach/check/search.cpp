// Which mistakes explain a matrix that is wrong.
#include "teach/check/search.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "attn/teach/comparison.hpp"
#include "teach/check/equivalent.hpp"

namespace attn {
namespace {

constexpr Index kFewToTryFirst = 16;  // queries

Tensor batch_and_rows_swapped(const Tensor& t) {
  const Shape& s = t.shape();
  if (!s.batch || s.heads) return t;
  Tensor y(Shape{s.rows, std::nullopt, *s.batch, s.cols});
  for (Index b = 0; b < t.batch(); ++b) {
    for (Index r = 0; r < t.rows(); ++r) {
      const auto from = t.row(b, 0, r);
      std::copy(from.begin(), from.end(), y.row(r, 0, b).begin());
    }
  }
  return y;
}

/// What one candidate makes of the answers.
class Trial {
 public:
  Trial(const Case& known, const Candidate& candidate, std::size_t at)
      : known_(known),
        candidate_(candidate),
        at_(at),
        residuals_(known.answers.size(), kInfinity) {}

  /// The basis on which the candidate explains the step; nothing if it does not, or if it
  /// contradicts another that is settled.
  std::optional<Basis> explains() {
    if (candidate_.row->swaps_axes) {  // their own matrices do not fit into the computation
      run(Basis::True);
      return residuals_[at_] < kInfinity ? std::optional(Basis::True) : std::nullopt;
    }
    const bool large = known_.truth.settings().n_queries > kFewToTryFirst * 4;
    if (large && !may_explain()) return std::nullopt;
    if (!run(Basis::Own)) return std::nullopt;
    if (residuals_[at_] < kInfinity) return Basis::Own;
    if (alone()) return std::nullopt;
    const std::vector<double> own = residuals_;
    run(Basis::True);
    const double here = residuals_[at_];
    residuals_ = own;
    residuals_[at_] = here;
    return here < kInfinity ? std::optional(Basis::True) : std::nullopt;
  }

  /// The wrong steps that agree with what the candidate makes.
  std::vector<std::size_t> explained() const {
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
      if (residuals_[i] < kInfinity && known_.answers[i].wrong()) steps.push_back(i);
    }
    return steps;
  }
  double residual_here() const { return residuals_[at_]; }
  const std::vector<double>& residuals() const { return residuals_; }

 private:
  /// Whether nothing of the student's own comes before the step: if so, both bases are the same.
  bool alone() const {
    const std::string& id = known_.answers[at_].step->id;
    return known_.follows.made(id) == known_.right.made(id);
  }

  /// Whether the step itself allows it; a few of its rows rule most mistakes out.
  bool may_explain() {
    const Index queries = candidate_.row->mixes_queries ? kAllQueries : kFewToTryFirst;
    return (run(Basis::Own, queries, true) && residuals_[at_] < kInfinity) ||
           (!alone() && run(Basis::True, queries, true) && residuals_[at_] < kInfinity);
  }

  bool run(Basis basis, Index most_queries = kAllQueries, bool only_here = false) {
    return try_out(known_, candidate_, at_,
                   {.basis = basis, .most_queries = most_queries, .only_here = only_here},
                   residuals_);
  }

  const Case& known_;
  const Candidate& candidate_;
  std::size_t at_;
  std::vector<double> residuals_;
};

}  // namespace

std::vector<std::string> Case::ids() const {
  std::vector<std::string> all;
  for (const GradedAnswer& each : answers) all.push_back(each.step->id);
  return all;
}

GradedAnswer* Case::find(const std::string& id) const {
  const auto at = std::find_if(answers.begin(), answers.end(),
                               [&](const GradedAnswer& each) { return each.step->id == id; });
  return at == answers.end() ? nullptr : &*at;
}

bool try_out(const Case& known, const Candidate& candidate, std::size_t at, const Trying& how,
             std::vector<double>& residuals) {
  std::fill(residuals.begin(), residuals.end(), kInfinity);
  const bool axes = candidate.row->swaps_axes;
  bool possible = true;
  const auto visit = [&](const std::string& id, const Tensor& made, bool anew, const Tensor*& own) {
    GradedAnswer* judged = known.find(id);
    if (judged == nullptr) return true;
    const auto i = static_cast<std::size_t>(judged - known.answers.data());
    const bool other_mask = anew && judged->step->is_given();  // the answers may show the right one
    if (how.basis == Basis::Own && judged->used() && !other_mask) own = &judged->own;
    if (!anew || (how.basis == Basis::True && i != at && !axes)) return true;
    residuals[i] = residual(*judged, made, how.most_queries != kAllQueries);
    if (axes) {
      residuals[i] = std::min(residuals[i], residual(*judged, batch_and_rows_swapped(made)));
      return true;
    }
    possible = residuals[i] < kInfinity || !judged->settled() || judged->step->is_given();
    return possible && !(how.basis == Basis::True && i == at);
  };
  const Evaluation& base = how.basis == Basis::Own ? known.follows : known.right;
  std::vector<std::string> wanted = known.ids();
  std::set<std::string> kept;
  if (how.only_here) {
    wanted = {known.answers[at].step->id};
    for (const GradedAnswer& each : known.answers) {
      if (how.basis == Basis::Own && each.used() && !each.step->is_given())
        kept.insert(each.step->id);
    }
    kept.erase(wanted.front());
  }
  const Evaluation tried(known.truth, base, candidate.change, wanted, visit, how.most_queries,
                         kept);
  known.work += tried.work();
  return possible;
}

double residual(const GradedAnswer& judged, const Tensor& made, bool part_only) {
  const Answer& answer = *judged.answer;
  Shape whole = made.shape();
  if (part_only && answer.shape.size() >= 2)
    whole.rows = std::max(whole.rows, answer.shape.end()[-2]);
  if (!has_shape(answer, whole)) return kInfinity;
  const auto part = static_cast<std::size_t>(made.rows() * made.cols());
  const auto all = static_cast<std::size_t>(whole.rows * whole.cols);
  double most = part_only ? 0.0 : kInfinity;
  const NumberSpan numbers = judged.numbers(), computed = made.data();
  const auto cols = static_cast<std::size_t>(std::max<Index>(1, made.cols()));
  bool hides = false;  // whether kHides hides a key in this row: it does if another can be seen
  bool fills = false;  // whether there is nothing but a fill: any is as good
  for (std::size_t i = 0; i < computed.size(); ++i) {
    if (i % cols == 0) {
      const auto row = computed.subspan(i, cols);
      hides = std::any_of(row.begin(), row.end(), [](double x) { return x > kHides; });
      fills = !hides && std::isfinite(row.front()) &&
              std::count(row.begin(), row.end(), row.front()) == std::ssize(row);
    }
    const std::size_t at = i / part * all + i % part;
    if (judged.state(at) != CellState::Filled) continue;
    if (most == kInfinity) most = 0.0;
    const double theirs = numbers[at], ours = computed[i];
    const bool hidden = hides || (fills && std::isfinite(theirs));
    if (hidden && theirs <= kHides && ours <= kHides) continue;
    if (!judged.close.agree(theirs, ours)) return kInfinity;
    if (std::isfinite(ours)) most = std::max(most, std::abs(theirs - ours));
  }
  return most;
}

namespace {

/// Whether the output of the computation stays what it is. What leads to a right result in one
/// problem may not in another: RoPE, for example, turns b_k by a different angle in each key, so
/// that softmax no longer ignores it.
bool leaves_the_result(const Case& known, const Candidate& candidate) {
  const Step* const output = known.truth.find("output");
  const Step& last = output ? *output : known.truth.steps.back();
  const Closeness close{.tolerance = usual_tolerance(last.scope->settings.dtype).relative *
                                     magnitude(known.truth, last)};
  bool same = true;
  const auto compare = [&](const std::string& id, const Tensor& made, bool, const Tensor*&) {
    if (id != last.id) return true;
    const NumberSpan ours = last.value.data(), theirs = made.data();
    same = std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      [&](double x, double y) { return close.agree(y, x); });
    return false;
  };
  Evaluation(known.truth, known.right, candidate.change, {last.id}, compare);
  return same;
}

}  // namespace

std::vector<std::size_t> right_all_the_same(const Case& known, std::size_t at) {
  std::vector<std::size_t> found;
  std::set<std::string> reached{known.answers[at].step->id};
  for (const Step& step : known.truth.steps) {
    const bool next = std::any_of(step.inputs.begin(), step.inputs.end(),
                                  [&](const std::string& id) { return reached.count(id) > 0; });
    if (!next) continue;
    const GradedAnswer* judged = known.find(step.id);
    if (judged == nullptr || !judged->used()) reached.insert(step.id);
    const Tensor* follows = known.follows.made(step.id);
    if (judged == nullptr || follows == nullptr || !judged->theirs) continue;
    const std::vector<CellVerdict>& cells = judged->report.cells;
    const bool right = judged->settled() &&
                       std::find(cells.begin(), cells.end(), CellVerdict::Follows) == cells.end();
    if (right && std::isinf(residual(*judged, *follows)))
      found.push_back(static_cast<std::size_t>(judged - known.answers.data()));
  }
  return found;
}

bool all_made(const std::vector<std::size_t>& answers, const std::vector<double>& residuals) {
  return std::all_of(answers.begin(), answers.end(),
                     [&](std::size_t i) { return residuals[i] < kInfinity; });
}

std::vector<Candidate> candidates(const Trace& truth) {
  std::vector<Candidate> all;
  for (const MistakeRow* row : mistake_rows()) {
    for (Recipe& recipe : variants_of(*row, truth))
      all.push_back({row, {.recipe = std::move(recipe)}});
  }
  for (Candidate& each : other_roads(truth)) all.push_back(std::move(each));
  for (Candidate& each : all) {
    each.change.plan =
        std::make_shared<const Trace>(replay(truth, each.change.recipe, Numbers::None));
  }
  return all;
}

std::vector<Explanation> explain_step(const Case& known, const std::vector<Candidate>& all,
                                      std::size_t at) {
  const std::vector<std::size_t> apart = right_all_the_same(known, at);
  std::vector<Explanation> found;
  for (const Candidate& candidate : all) {
    Trial trial(known, candidate, at);
    const std::optional<Basis> basis = trial.explains();
    if (!basis || !all_made(apart, trial.residuals())) continue;
    if (is_equivalent(*candidate.row) && !leaves_the_result(known, candidate)) continue;
    found.push_back({&candidate, *basis, trial.explained(), trial.residual_here()});
  }
  // a number to choose imitates other mistakes: it is named only where nothing else fits
  const auto fitted = [](const Explanation& each) { return each.candidate->fitted; };
  if (!std::all_of(found.begin(), found.end(), fitted)) std::erase_if(found, fitted);
  std::set<std::string_view> codes;
  for (const Explanation& each : found) codes.insert(each.candidate->row->words.code);
  std::erase_if(found, [&](const Explanation& each) {
    const std::string_view stronger = each.candidate->row->yields_to;
    return std::any_of(codes.begin(), codes.end(),
                       [&](std::string_view code) { return stronger.find(code) != stronger.npos; });
  });
  std::stable_sort(found.begin(), found.end(), [](const Explanation& a, const Explanation& b) {
    if (a.steps.size() != b.steps.size()) return a.steps.size() > b.steps.size();
    const bool harmless = is_equivalent(*a.candidate->row);
    if (harmless != is_equivalent(*b.candidate->row)) return harmless;
    return a.residual < b.residual;
  });
  return found;
}

}  // namespace attn
