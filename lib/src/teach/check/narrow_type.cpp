// Numbers of a narrow type that were saved in a wider one: right, but for their rounding.
#include <algorithm>
#include <array>
#include <cmath>

#include "attn/number_text.hpp"
#include "attn/teach/comparison.hpp"
#include "core/tensor/dtype.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr double kByHand = 1e-5;  // numbers that end before this decimal may be handwritten

/// Whether rounding to `type` changes no number.
bool holds_only(const Tensor& tensor, Dtype type) {
  const Tensor narrow = rounded(tensor, type);
  return std::equal(tensor.data().begin(), tensor.data().end(), narrow.data().begin(),
                    [](double a, double b) { return a == b || std::isnan(a); });
}

/// Whether every wrong cell would be accepted with this relative tolerance.
bool is_rounding(const Case& known, const GradedAnswer& judged, double relative) {
  const Tensor& truth = judged.step->value;
  const Tensor* made = known.follows.made(judged.step->id);
  const Tensor& follows = made != nullptr && made->shape() == truth.shape() ? *made : truth;
  const Closeness loose{.tolerance = relative * magnitude(known.truth, *judged.step)};
  for (std::size_t i = 0; i < judged.report.cells.size(); ++i) {
    if (judged.report.cells[i] != CellVerdict::Wrong) continue;
    const double theirs = judged.theirs->data()[i];
    if (!loose.agree(theirs, truth.data()[i]) && !loose.agree(theirs, follows.data()[i]))
      return false;
  }
  return true;
}

}  // namespace

bool are_narrow(const Case& known) {
  constexpr Dtype kNarrow[] = {Dtype::Bfloat16, Dtype::Float16};
  return std::any_of(std::begin(kNarrow), std::end(kNarrow), [&](Dtype type) {
    return std::all_of(known.answers.begin(), known.answers.end(), [&](const GradedAnswer& each) {
      return !each.theirs || holds_only(*each.theirs, type);
    });
  });
}

bool name_narrow_type(const Case& known, GradedAnswer& judged) {
  if (!judged.theirs || judged.close.grain > kByHand) return false;
  for (const Dtype type : {Dtype::Bfloat16, Dtype::Float16}) {
    const double relative = usual_tolerance(type).relative;
    if (!holds_only(*judged.theirs, type) || holds_only(judged.step->value, type) ||
        !is_rounding(known, judged, relative))
      continue;
    const std::string name = kDtypeNames[static_cast<std::size_t>(type)];
    const Index wrong =
        std::count(judged.report.cells.begin(), judged.report.cells.end(), CellVerdict::Wrong);
    judged.report.findings.push_back(
        {.code = "rounding." + name,
         .confidence = Confidence::Possible,
         .matched = wrong,
         .of = wrong,
         .message = "Every number is a " + name +
                    " number, and the differences are no larger than its rounding: a tolerance "
                    "of " +
                    format_exact(100.0 * relative) + "% accepts them.",
         .hint = "Which number type did your program compute in, before it saved the numbers?",
         .see = "check"});
    return true;
  }
  return false;
}

}  // namespace attn
