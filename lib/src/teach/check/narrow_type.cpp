// Numbers of a narrow type that were saved in a wider one: right, but for their rounding.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "attn/number_text.hpp"
#include "attn/setting_names.hpp"
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

/// The same computation in another number type, not computed yet.
Trace in_type(const Trace& truth, Dtype type) {
  Trace trace = truth;
  std::map<const Scope*, std::shared_ptr<const Scope>> scopes;
  for (auto& scope : trace.scopes) {
    auto own = std::make_shared<Scope>(*scope);
    own->settings.dtype = type;
    scopes[scope.get()] = own;
    scope = own;
  }
  for (auto* part : {&trace.givens, &trace.steps}) {
    for (Step& step : *part) {
      step.scope = scopes.at(step.scope.get());
      if (step.parameters.find("dtype") != nullptr) step.parameters.set("dtype", word_of(type));
    }
  }
  return trace;
}

}  // namespace

void allow_rounding(const Trace& truth, Dtype type, std::vector<GradedAnswer>& answers) {
  const Trace narrow = replay(in_type(truth, type), {});
  for (GradedAnswer& judged : answers) {
    const Step* step = narrow.find(judged.step->id);
    if (step == nullptr) continue;
    double most = 0.0;
    for (std::size_t i = 0; i < step->value.data().size(); ++i) {
      const double gap = std::abs(step->value.data()[i] - judged.step->value.data()[i]);
      if (std::isfinite(gap)) most = std::max(most, gap);
    }
    judged.close.tolerance = std::max(judged.close.tolerance, 4.0 * most);
  }
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
