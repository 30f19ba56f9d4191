// What no rewiring makes: a transposed matrix, a missing axis, dropout.
#include <algorithm>
#include <cmath>
#include <utility>

#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Mistake kAxes = {"shape.axes", "", "The axes are in the wrong order.",
                           "Which axis comes first here?", "shapes"};
constexpr Mistake kTransposed = {"shape.transposed", "", "Rows and columns are swapped.",
                                 "Which axis should be the rows?", "shapes"};

void found(GradedAnswer& judged, const Mistake& words, Index matched) {
  const Confidence confidence = matched > 1 ? Confidence::Certain : Confidence::Possible;
  judged.report.findings.push_back(finding_of(words, matched, matched, confidence, Basis::True));
}

/// The heads of a step blended into one matrix.
Tensor blended(const Tensor& t, bool mean) {
  Tensor y(Shape{t.shape().batch, std::nullopt, t.rows(), t.cols()});
  for_each_slice(t, [&](Index b, Index h) {
    const auto from = t.matrix(b, h);
    const auto to = y.matrix(b, 0);
    for (std::size_t i = 0; i < from.size(); ++i)
      to[i] += from[i] / (mean ? static_cast<double>(t.heads()) : 1.0);
  });
  return y;
}

/// The matrix of a problem with more heads, or with fewer. Grouped keys and values may be repeated.
bool other_heads(const Case& known, GradedAnswer& judged) {
  const Settings& s = known.truth.settings();
  const std::vector<Index>& theirs = judged.answer->shape;
  const Shape& ours = judged.step->value.shape();
  const std::size_t rank = ours.batch ? 4 : 3;
  if (theirs.size() != rank || ours.heads.value_or(1) != s.heads) return false;
  const Index heads = theirs[rank - 3], cols = theirs[rank - 1];
  const bool alike =
      theirs[rank - 2] == ours.rows && (!ours.batch || theirs[0] == *ours.batch) &&
      (judged.step->info().is_pairwise() ? cols == ours.cols : heads * cols == s.heads * ours.cols);
  if (!alike || heads < 2 || heads == s.heads) return false;
  judged.report.findings.push_back(
      {.code = "shape.heads",
       .confidence = Confidence::Possible,
       .basis = Basis::True,
       .message = filled("The matrix is {}: it looks like {} heads, but the problem has {}.",
                         shape_text(theirs), heads, s.heads),
       .hint = "Does the problem say how many heads there are, in its file or on the command line?",
       .see = "shapes"});
  return true;
}

bool other_shape(const Case& known, GradedAnswer& judged) {
  const Tensor& ours = judged.step->value;
  const auto count = static_cast<Index>(judged.numbers().size());
  const Tensor* follows = known.follows.made(judged.step->id);
  for (const Tensor* made : {&ours, follows}) {
    if (made == nullptr || made->heads() < 2) continue;
    for (const bool mean : {true, false}) {
      if (std::isinf(residual(judged, blended(*made, mean)))) continue;
      found(judged, *find_mistake(mean ? "heads.averaged" : "heads.summed"), count);
      return true;
    }
  }
  if (other_heads(known, judged)) return true;
  Shape columns = ours.shape();
  std::swap(columns.rows, columns.cols);
  if (has_shape(*judged.answer, columns)) {
    found(judged, kTransposed, count);
    return true;
  }
  std::vector<Index> theirs = judged.answer->shape, wanted = ours.shape().sizes();
  std::sort(theirs.begin(), theirs.end());
  std::sort(wanted.begin(), wanted.end());
  if (theirs == wanted) {
    found(judged, kAxes, count);
    return true;
  }
  return false;
}

/// Some weights 0, all others larger by one factor.
bool dropout(const Case& known, GradedAnswer& judged) {
  const Tensor* ours = known.follows.made(judged.step->id);
  if (judged.step->info().role != StepRole::Weights || ours == nullptr || !judged.theirs)
    return false;
  double factor = 0.0;
  Index dropped = 0, kept = 0;
  for (std::size_t i = 0; i < ours->data().size(); ++i) {
    const double a = ours->data()[i], t = judged.theirs->data()[i];
    if (!judged.filled(i) || a <= 2.0 * judged.close.tolerance) continue;
    if (t == 0.0) {
      ++dropped;
    } else {
      if (factor == 0.0 || a > 0.3) factor = factor == 0.0 ? t / a : factor;
      if (!(std::abs(t - factor * a) <= std::max(2.0 * judged.close.tolerance, 1e-9))) return false;
      ++kept;
    }
  }
  if (dropped < 1 || kept < 2 || factor <= 1.02) return false;
  found(judged, *find_mistake("dropout.on"), dropped + kept);
  return true;
}

/// All of a square matrix with rows and columns swapped.
bool turned(const Case& known, GradedAnswer& judged) {
  const Shape& shape = judged.step->value.shape();
  if (!judged.theirs || shape.rows != shape.cols) return false;
  const auto n = static_cast<std::size_t>(shape.rows);
  const NumberSpan theirs = judged.theirs->data();
  for (const Tensor* made : {&judged.step->value, known.follows.made(judged.step->id)}) {
    if (made == nullptr || !(made->shape() == shape)) continue;
    const NumberSpan ours = made->data();
    Index filled = 0;
    bool agrees = true;
    for (std::size_t i = 0; i < ours.size() && agrees; ++i) {
      const std::size_t at = i / (n * n) * (n * n) + i % n * n + i / n % n;
      if (judged.state(at) != CellState::Filled) continue;
      ++filled;
      agrees = judged.close.agree(theirs[at], ours[i]);
    }
    if (!agrees || filled < 4) continue;
    found(judged, kTransposed, filled);
    return true;
  }
  return false;
}

}  // namespace

bool recognise(const Case& known, GradedAnswer& judged) {
  if (judged.report.verdict == Verdict::Shape) return other_shape(known, judged);
  return turned(known, judged) || dropout(known, judged) || name_fitted_base(known, judged);
}

}  // namespace attn
