// What no rewiring makes: a transposed matrix, a missing axis.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "attn/phrases.hpp"
#include "core/tensor/slices.hpp"
#include "teach/check/equivalent.hpp"
#include "teach/check/finding.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Mistake kAxes = {"shape.axes", "", "The axes are in the wrong order.",
                           "Which axis comes first here?", "shapes"};
constexpr Mistake kTransposed = {"shape.transposed", "", "Rows and columns are swapped.",
                                 "Which axis should be the rows?", "shapes"};

void found(GradedAnswer& judged, const Mistake& words, Index matched, Index of) {
  const Confidence confidence = matched > 1 ? Confidence::Certain : Confidence::Possible;
  judged.report.findings.push_back(finding_of(words, matched, of, confidence, Basis::True));
}

void found(GradedAnswer& judged, const Mistake& words, Index matched) {
  found(judged, words, matched, matched);
}

/// The numbers of a tensor whose axes are exchanged: axis i of the result is axis `order[i]`.
std::vector<double> with_axes(NumberSpan numbers, const std::vector<Index>& shape,
                              const std::vector<std::size_t>& order) {
  std::vector<double> exchanged;
  std::vector<Index> at(shape.size(), 0);  // in the result
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::vector<Index> from(shape.size());
    for (std::size_t axis = 0; axis < order.size(); ++axis) from[order[axis]] = at[axis];
    Index place = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      place = place * shape[axis] + from[axis];
    exchanged.push_back(numbers[static_cast<std::size_t>(place)]);
    for (std::size_t axis = at.size(); axis-- > 0 && ++at[axis] == shape[order[axis]];)
      at[axis] = 0;
  }
  return exchanged;
}

/// Whether the matrix with its axes in some other order is the right one, or follows.
bool is_exchanged(const Case& known, const GradedAnswer& judged) {
  const Shape& ours = judged.step->value.shape();
  const std::vector<Index>& theirs = judged.answer->shape;
  std::vector<std::size_t> order(theirs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!judged.answer->states.empty()) return false;
  do {
    std::vector<Index> sizes;
    for (const std::size_t axis : order) sizes.push_back(theirs[axis]);
    if (sizes != ours.sizes()) continue;
    const std::vector<double> numbers = with_axes(judged.numbers(), theirs, order);
    for (const Tensor* made : {&judged.step->value, known.follows.made(judged.step->id)}) {
      if (made == nullptr || !(made->shape() == ours)) continue;
      const auto agree = [&](double a, double b) { return judged.close.agree(a, b); };
      if (std::equal(numbers.begin(), numbers.end(), made->data().begin(), agree)) return true;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
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

/// A mistake together with blended heads: nn.MultiheadAttention, for one, returns the mean of the
/// weights.
bool blended_otherwise(const Case& known, const std::vector<Candidate>& all, GradedAnswer& judged,
                       Index count) {
  for (const Candidate& candidate : all) {
    if (is_equivalent(*candidate.row) || candidate.row->swaps_axes) continue;
    const char* how = nullptr;
    const auto visit = [&](const std::string& id, const Tensor& made, bool anew,
                           const Tensor*& own) {
      const GradedAnswer* each = known.find(id);
      if (each != nullptr && each->used()) own = &each->own;
      if (each != &judged || !anew || made.heads() < 2) return true;
      for (const bool mean : {false, true}) {
        if (!std::isinf(residual(judged, blended(made, mean))))
          how = mean ? "heads.averaged" : "heads.summed";
      }
      return false;
    };
    const Evaluation tried(known.truth, known.follows, candidate.change, {judged.step->id}, visit);
    known.search.work += tried.work();
    if (how == nullptr) continue;
    for (const char* code : {candidate.row->words.code, how}) {
      const bool first = code != how;
      found(judged, *find_mistake(code), count);
      Finding& finding = judged.report.findings.back();
      finding.confidence = Confidence::Possible;
      finding.message += filled(" Together with {}, this explains the matrix.",
                                std::string(first ? how : candidate.row->words.code));
    }
    return true;
  }
  return false;
}

/// The matrix of a problem with more heads, or with fewer. Grouped keys and values may be repeated.
bool other_heads(GradedAnswer& judged) {
  const Settings& s = judged.step->scope->settings;
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

bool other_shape(const Case& known, const std::vector<Candidate>& all, GradedAnswer& judged) {
  const Tensor& ours = judged.step->value;
  const auto count = static_cast<Index>(judged.numbers().size());
  const Tensor* follows = known.follows.made(judged.step->id);
  const bool tells = judged.step->info().role != StepRole::Mask && judged.finite_cells() > 0;
  for (const Tensor* made : {&ours, follows}) {
    if (made == nullptr || made->heads() < 2 || !tells) continue;
    for (const bool mean : {true, false}) {
      if (std::isinf(residual(judged, blended(*made, mean)))) continue;
      found(judged, *find_mistake(mean ? "heads.averaged" : "heads.summed"), count);
      return true;
    }
  }
  if ((tells && blended_otherwise(known, all, judged, count)) || other_heads(judged)) return true;
  Shape columns = ours.shape();
  std::swap(columns.rows, columns.cols);
  if (has_shape(*judged.answer, columns)) {
    found(judged, kTransposed, is_exchanged(known, judged) ? count : 0, count);
    return true;
  }
  std::vector<Index> theirs = judged.answer->shape, wanted = ours.shape().sizes();
  std::sort(theirs.begin(), theirs.end());
  std::sort(wanted.begin(), wanted.end());
  if (theirs == wanted) {
    found(judged, kAxes, is_exchanged(known, judged) ? count : 0, count);
    return true;
  }
  return false;
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

bool recognise(const Case& known, const std::vector<Candidate>& all, std::size_t at) {
  GradedAnswer& judged = known.answers[at];
  if (judged.report.verdict == Verdict::Shape) return other_shape(known, all, judged);
  return turned(known, judged) || name_dropout(known, judged) || name_fitted_number(known, at);
}

}  // namespace attn
