// Which mistakes explain a matrix that is wrong.
#include "teach/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "teach/equivalent.hpp"

namespace attn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Whether a step was right, or followed, before any mistake was assumed.
bool settled(const Judged& judged) {
  return judged.report.verdict == Verdict::Right || judged.report.verdict == Verdict::Follows;
}

/// What one candidate makes of the answers.
class Trial {
 public:
  Trial(const Case& known, const Candidate& candidate, std::size_t at)
      : known_(known), candidate_(candidate), at_(at) {}

  /// Residuals of all answers from `at` on, computed with the student's own matrices or without;
  /// nothing if the candidate explains not that one, or contradicts another.
  bool fits(Basis basis) {
    found_.assign(known_.answers.size(), kInfinity);
    touched_.assign(known_.answers.size(), false);
    possible_ = true;
    const Evaluation& base = basis == Basis::Own ? known_.follows : known_.right;
    const auto visit = [&](const std::string& id, const Tensor& made, bool anew,
                           const Tensor*& own) {
      Judged* judged = known_.find(id);
      if (judged == nullptr) return true;
      const auto i = static_cast<std::size_t>(judged - known_.answers.data());
      if (basis == Basis::Own && judged->used) own = &judged->own;
      if (!anew) return true;
      touched_[i] = true;
      found_[i] = residual(*judged, made);
      const bool agrees = found_[i] < kInfinity;
      if (i >= at_ && !agrees && (i == at_ || (settled(*judged) && basis == Basis::Own)))
        possible_ = false;
      return possible_;
    };
    Evaluation(known_.truth, base, candidate_.change, known_.ids(), visit);
    return possible_ && found_[at_] < kInfinity;
  }

  /// The wrong steps that agree with what the candidate makes.
  std::vector<std::size_t> explained() const {
    std::vector<std::size_t> steps;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (touched_[i] && found_[i] < kInfinity && known_.answers[i].wrong()) steps.push_back(i);
    }
    return steps;
  }
  double residual_here() const { return found_[at_]; }

 private:
  const Case& known_;
  const Candidate& candidate_;
  std::size_t at_;
  std::vector<double> found_;
  std::vector<bool> touched_;
  bool possible_ = true;
};

}  // namespace

std::vector<std::string> Case::ids() const {
  std::vector<std::string> all;
  for (const Judged& each : answers) all.push_back(each.step->id);
  return all;
}

Judged* Case::find(const std::string& id) const {
  const auto at = std::find_if(answers.begin(), answers.end(),
                               [&](const Judged& each) { return each.step->id == id; });
  return at == answers.end() ? nullptr : &*at;
}

double residual(const Judged& judged, const Tensor& made) {
  const std::optional<Tensor> theirs = in_shape(*judged.answer, made.shape());
  if (!theirs) return kInfinity;
  double most = 0.0;
  for (std::size_t i = 0; i < made.data().size(); ++i) {
    if (judged.state(i) != CellState::Filled) continue;
    if (!judged.close.agree(theirs->data()[i], made.data()[i])) return kInfinity;
    if (std::isfinite(made.data()[i]))
      most = std::max(most, std::abs(theirs->data()[i] - made.data()[i]));
  }
  return most;
}

std::vector<Candidate> candidates(const Trace& truth) {
  std::vector<Candidate> all;
  const Wiring wiring(truth);
  for (const MistakeRow* row : mistake_rows()) {
    if (row->variants == nullptr) continue;
    for (Recipe& recipe : row->variants(wiring)) all.push_back({row, {std::move(recipe)}});
  }
  for (Candidate& each : other_roads(truth)) all.push_back(std::move(each));
  return all;
}

std::vector<Explanation> explain_step(const Case& known, const std::vector<Candidate>& all,
                                      std::size_t at) {
  std::vector<Explanation> found;
  for (const Candidate& candidate : all) {
    Trial trial(known, candidate, at);
    for (const Basis basis : {Basis::Own, Basis::True}) {
      if (!trial.fits(basis)) continue;
      found.push_back({&candidate, basis, trial.explained(), trial.residual_here()});
      break;
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Explanation& a, const Explanation& b) {
    if (a.steps.size() != b.steps.size()) return a.steps.size() > b.steps.size();
    return a.residual < b.residual;
  });
  return found;
}

}  // namespace attn
