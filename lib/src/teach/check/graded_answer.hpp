// Answers fitted to the steps of a computation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "attn/check.hpp"
#include "teach/check/answer_shape.hpp"

namespace attn {

inline constexpr double kHides = -1e4;  ///< a score as good as −∞, in any number type

/// How closely a number must agree in one matrix, and how precise the answers are.
struct Closeness {
  double tolerance = 0.0;  ///< absolute, inclusive
  double grain = 0.0;      ///< the unit of the last decimal that was written

  bool agree(double theirs, double ours) const;
  /// Whether a difference is small enough.
  bool covers(double gap) const { return gap <= tolerance * (1.0 + 1e-9); }
};

/// One answer, the step that it belongs to, and its verdicts so far.
struct GradedAnswer {
  const Step* step = nullptr;
  const Answer* answer = nullptr;
  std::optional<Tensor> theirs;  ///< in the shape of the step; absent: it does not fit
  Tensor own;                    ///< the same, with blanks filled in for the steps after it
  const char* unused = "";       ///< why the steps after it do not use `own`; nullptr: they do
  bool explained = false;        ///< whether what is wrong has a finding
  bool graded = true;            ///< whether it goes into the report
  double largest = 0.0;          ///< of the right numbers that no mask hides
  Closeness close;
  StepReport report;

  /// How much larger the numbers are that a mistake makes, if it makes them much larger: whatever
  /// was rounded is off by that much more. Otherwise 1.
  double growth(const Tensor& made) const;

  bool used() const { return unused == nullptr; }
  /// Those of the answer, which `theirs` may have taken over.
  NumberSpan numbers() const { return theirs ? theirs->data() : NumberSpan(answer->numbers); }
  CellState state(std::size_t i) const {
    return answer->states.empty() ? CellState::Filled : answer->states[i];
  }
  bool filled(std::size_t i) const {
    return state(i) == CellState::Filled || state(i) == CellState::Given;
  }
  /// How many cells the student filled in.
  Index filled_cells() const;
  /// The unit of the last decimal in them: printed cells may have more decimals.
  double own_grain() const;
  /// Whether there is something to explain: a shape, or cells that are wrong and can be read.
  bool wrong() const;
  /// Whether a wrong cell holds ∞ or NaN in place of a number; −∞ hides in masked scores.
  bool is_not_finite(std::size_t i) const;
  /// How many cells do so, and how many finite numbers the student filled in.
  Index not_finite_cells() const;
  Index finite_cells() const;
  /// Whether it is right, or follows.
  bool settled() const;
};

/// The note on an answer whose name no step has, and what may be meant.
std::string no_step_note(const Trace& truth, const std::string& name);

/// What is accepted in these answers: what the options say, or what suits them.
Tolerance usual_tolerance(const Answers& answers, const CheckOptions& options);

/// The difference that a tolerance accepts where the largest number is this.
inline double accepted_gap(const Tolerance& tolerance, double largest) {
  return tolerance.absolute + tolerance.relative * largest;
}

/// The answers of `truth`'s steps, in the order of the computation, with the numbers of those that
/// fit. Names that are not steps become notes. Throws as check_answers does.
std::vector<GradedAnswer> fit(const Trace& truth, Answers& answers, const CheckOptions& options,
                              CheckReport& report);

/// How many cells have that verdict.
Index count(const std::vector<CellVerdict>& cells, CellVerdict verdict);

/// Gives every cell a verdict: by the truth, or by what follows from earlier matrices.
void judge(GradedAnswer& judged, const Tensor& truth, const Tensor& follows);

/// The verdict of a matrix from those of its cells.
void settle_verdict(StepReport& step);

/// The largest |x| of the finite entries that no mask hides.
double largest_visible(const Trace& truth, const Step& step);

/// The same, or that of the numbers that a step is made from where those matter: what relative
/// tolerances refer to.
double magnitude(const Trace& truth, const Step& step);

}  // namespace attn
