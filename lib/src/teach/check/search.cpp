// Tries candidates, first on a few rows, and sorts those that fit and contradict no settled answer.
#include "teach/check/search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "attn/teach/comparison.hpp"
#include "core/attention/gradient_steps.hpp"
#include "teach/check/equivalent.hpp"
#include "teach/check/model_search.hpp"

namespace attn {
namespace {

constexpr Index kFewToTryFirst = 16;  // queries

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
      run({.basis = Basis::True});
      return residuals_[at_] < kInfinity ? std::optional(Basis::True) : std::nullopt;
    }
    if (!may_explain()) return std::nullopt;
    near_ = false;
    const bool possible = run({});
    if (possible && residuals_[at_] < kInfinity) return Basis::Own;
    if (!possible || is_of_model() || alone()) return std::nullopt;
    const std::vector<double> own = residuals_;
    run({.basis = Basis::True});
    const double here = residuals_[at_];
    residuals_ = own;
    residuals_[at_] = here;
    return here < kInfinity ? std::optional(Basis::True) : std::nullopt;
  }
  /// Whether the candidate explains the step, made from right numbers, whatever comes later.
  bool explains_alone() {
    if (candidate_.row->swaps_axes || candidate_.fitted > 0) return false;
    run({.basis = Basis::True, .only_here = true});
    return residuals_[at_] < kInfinity;
  }
  /// Whether the candidate misses nothing by much.
  bool near() const { return near_; }

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
  bool is_of_model() const { return known_.truth.is_model(); }
  /// Whether nothing of the student's own comes before the step: if so, both bases are the same.
  bool alone() const {
    const std::string& id = known_.answers[at_].step->id;
    return known_.follows.made(id) == known_.right.made(id);
  }

  /// Whether the step itself allows it; a few of its rows rule most mistakes out.
  bool may_explain() {
    // some rows say nothing of a gradient, which may be a sum over all of them
    if (is_gradient(*known_.answers[at_].step))
      return passes({.only_here = true}) ||
             (!is_of_model() && !alone() && passes({.basis = Basis::True, .only_here = true}));
    if (is_of_model()) {
      const Index wrong = known_.first_wrong_row(at_);
      const bool few = known_.is_causal && !looks_ahead(*candidate_.row) && !is_pairwise();
      for (const Index row : std::set<Index>{0, wrong}) {
        const bool partly = few && row + 1 < known_.answers[at_].step->value.rows();
        if (partly && !passes({.first = {.keys = row + 1}, .only_here = true})) return false;
      }
      return passes({.only_here = true});
    }
    if (known_.truth.settings().n_queries <= kFewToTryFirst * 4) return true;
    const FirstRows first{.queries = candidate_.row->mixes_queries ? kAllRows : kFewToTryFirst};
    return passes({.first = first, .only_here = true}) ||
           (!alone() && passes({.basis = Basis::True, .first = first, .only_here = true}));
  }
  bool is_pairwise() const { return known_.answers[at_].step->info().is_pairwise(); }

  bool passes(const Trying& how) {
    near_ = false;
    run(how);
    return near_;
  }

  bool run(const Trying& how) {
    const Tried tried = try_out(known_, candidate_, at_, how, residuals_);
    near_ = near_ || tried.near;
    return tried.possible;
  }

  const Case& known_;
  const Candidate& candidate_;
  std::size_t at_;
  bool near_ = false;
  std::vector<double> residuals_;
};

}  // namespace

bool looks_ahead(const MistakeRow& row) {
  return row.mixes_queries || std::string_view(row.words.code).starts_with("mask.");
}

bool plan(const Trace& truth, Candidate& candidate) {
  candidate.change.plan =
      std::make_shared<const Trace>(replay(truth, candidate.change.recipe, Numbers::None));
  return is_possible(candidate.change.recipe, *candidate.change.plan);
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

/// Whether a candidate also changes an earlier wrong answer, which has another cause: what leads to
/// a right result elsewhere does not lead past that mistake.
bool changes_explained(const Case& known, const Candidate& candidate, std::size_t at) {
  bool changes = false;
  const auto visit = [&](const std::string& id, const Tensor& made, bool anew, const Tensor*& own) {
    const GradedAnswer* judged = known.find(id);
    if (judged == nullptr || judged >= &known.answers[at]) return true;
    if (judged->used()) own = &judged->own;
    changes = anew && judged->explained && judged->wrong() && std::isinf(residual(*judged, made));
    return !changes;
  };
  Evaluation(known.truth, known.follows, candidate.change, known.ids(), visit);
  return changes;
}

/// Whether a change makes the gradient of a step as it makes the step. What is done after an
/// operation is in no graph: the gradients of all that leads to it lack it.
bool makes_gradient(const Trace& truth, const Variation& change, const Step& gradient) {
  if (change.afterwards.empty() || !is_gradient(gradient)) return true;
  std::set<std::string> before;
  for (const Afterwards& each : change.afterwards) {
    const Step& step = truth.at(each.step);
    before.insert(step.inputs.begin(), step.inputs.end());
  }
  for (auto step = truth.steps.rbegin(); step != truth.steps.rend(); ++step) {
    if (before.contains(step->id)) before.insert(step->inputs.begin(), step->inputs.end());
  }
  return !before.contains(std::string(owner_of_gradient(gradient.id)));
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
  if (truth.is_model()) return all;
  const Parts parts(truth);
  const auto add = [&](Candidate candidate) {
    if (plan(truth, candidate)) all.push_back(std::move(candidate));
  };
  for (const MistakeRow* row : mistake_rows()) {
    for (Variant& each : parts.variants(*row, Spread::Everywhere))
      add({row, {.recipe = std::move(each.recipe)}});
  }
  for (Candidate& each : other_routes(parts)) add(std::move(each));
  return all;
}

namespace {

/// Explanations of the wrong numbers alone: on a sheet, unlike in what a program computed, a right
/// number may come from elsewhere.
std::vector<Explanation> explained_alone(const Case& known, const std::vector<Candidate>& all,
                                         std::size_t at) {
  const auto changes_right = [&](const auto& each) {
    const GradedAnswer* answer = known.find(each.step);
    return answer != nullptr && answer->settled();
  };
  std::vector<Explanation> found;
  for (const Candidate& candidate : all) {
    const Recipe& recipe = candidate.change.recipe;
    const auto& later = candidate.change.afterwards;
    Trial trial(known, candidate, at);
    if (is_equivalent(*candidate.row) || std::any_of(recipe.begin(), recipe.end(), changes_right) ||
        std::any_of(later.begin(), later.end(), changes_right) || !trial.explains_alone())
      continue;
    found.push_back({&candidate, Basis::True, {at}, trial.residual_here(), true});
  }
  return found;
}

/// Removes what yields to another mistake that was found.
void yield(Explanations& made) {
  std::set<std::string_view> codes;
  for (const Explanation& each : made.found) codes.insert(each.candidate->row->words.code);
  const auto yields = [&](const MistakeRow& row) {
    const std::string to = " " + std::string(row.yields_to) + " ";
    return std::any_of(codes.begin(), codes.end(), [&](std::string_view code) {
      return to.find(" " + std::string(code) + " ") != to.npos;
    });
  };
  std::erase_if(made.found, [&](const Explanation& each) { return yields(*each.candidate->row); });
  std::erase_if(made.near,
                [&](const std::string& code) { return yields(*find_mistake_row(code)); });
}

}  // namespace

Explanations explain_step(const Case& known, const std::vector<Candidate>& all, std::size_t at) {
  const std::vector<std::size_t> apart = right_all_the_same(known, at);
  Explanations made;
  std::vector<Explanation>& found = made.found;
  const auto attempt = [&](const Candidate& candidate) {
    known.search.tried.insert(candidate.row->words.code);
    Trial trial(known, candidate, at);
    const std::optional<Basis> basis = trial.explains();
    const bool equivalent = is_equivalent(*candidate.row);
    if (trial.near() && !equivalent && candidate.fitted == 0)
      made.near.insert(candidate.row->words.code);
    const auto makes = [&](std::size_t i) {
      return makes_gradient(known.truth, candidate.change, *known.answers[i].step);
    };
    if (!basis || !makes(at) || !all_made(apart, trial.residuals())) return false;
    if (equivalent &&
        (changes_explained(known, candidate, at) || !leaves_the_result(known, candidate)))
      return false;
    std::vector<std::size_t> steps = trial.explained();
    std::erase_if(steps, [&](std::size_t i) { return !makes(i); });
    found.push_back({&candidate, *basis, std::move(steps), trial.residual_here()});
    return true;
  };
  for (const Candidate& candidate : all) attempt(candidate);
  if (known.truth.is_model()) try_parts(known, at, attempt);
  const bool by_hand = !known.answers[at].answer->states.empty();
  if (found.empty() && by_hand && !apart.empty() && !known.truth.is_model()) {
    found = explained_alone(known, all, at);
    if (!found.empty()) made.near.clear();  // they were tried with what comes later, too
  }
  // a number to choose imitates other mistakes: it is named only where nothing else fits
  const auto fitted = [](const Explanation& each) { return each.candidate->fitted > 0; };
  if (!std::all_of(found.begin(), found.end(), fitted)) std::erase_if(found, fitted);
  yield(made);
  std::stable_sort(found.begin(), found.end(), [](const Explanation& a, const Explanation& b) {
    if (a.steps.size() != b.steps.size()) return a.steps.size() > b.steps.size();
    const bool harmless = is_equivalent(*a.candidate->row);
    if (harmless != is_equivalent(*b.candidate->row)) return harmless;
    return a.residual < b.residual;
  });
  return made;
}

}  // namespace attn
