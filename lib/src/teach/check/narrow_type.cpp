// Numbers of a narrow type that were saved in a wider one: right, but for their rounding.
#include <algorithm>
#include <array>
#include <cmath>

#include "attn/number_text.hpp"
#include "attn/phrases.hpp"
#include "attn/teach/comparison.hpp"
#include "core/tensor/dtype.hpp"
#include "teach/check/slip.hpp"

namespace attn {
namespace {

constexpr Index kTelling = 8;     // numbers that show the type of all
constexpr double kByHand = 1e-5;  // numbers that end before this decimal may be handwritten

/// Whether rounding to `type` changes no number.
bool holds_only(NumberSpan numbers, Dtype type) {
  return std::all_of(numbers.begin(), numbers.end(), [&](double x) {
    double narrow = x;
    round_to(type, {&narrow, 1});
    return narrow == x || std::isnan(x);
  });
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

const char* name_of(Dtype type) { return kDtypeNames[static_cast<std::size_t>(type)]; }

}  // namespace

std::optional<Dtype> narrow_type_of(const Trace& truth, const Answers& answers) {
  const bool wide = answers.dtype == Dtype::Float64 || answers.dtype == Dtype::Float32;
  if (!answers.by_program || !wide) return std::nullopt;
  for (const Dtype type : {Dtype::Bfloat16, Dtype::Float16}) {
    bool all = true;
    Index telling = 0;  // numbers that are narrow by themselves, such as 0 or 0.25, tell nothing
    for (const Answer& each : answers.matrices) {
      const Step* step = truth.find_named(each.id);
      if (step == nullptr) continue;
      all = all && holds_only(NumberSpan(each.numbers), type);
      if (!all) break;
      if (holds_only(step->value.data(), type)) continue;
      telling += std::count_if(each.numbers.begin(), each.numbers.end(), [](double x) {
        return std::isfinite(x) && std::abs(x) < 1e6 && 16.0 * x != std::round(16.0 * x);
      });
    }
    if (all && telling >= kTelling) return type;
  }
  return std::nullopt;
}

bool rounding_explains_all(const Case& known, Dtype type) {
  const double relative = usual_tolerance(type).relative;
  return std::all_of(known.answers.begin(), known.answers.end(), [&](const GradedAnswer& each) {
    return each.theirs && is_rounding(known, each, relative);
  });
}

std::string narrow_note(Dtype type) {
  return filled("every number is a {} number: they are judged as such, within {}% of the largest",
                std::string(name_of(type)), format_exact(100.0 * usual_tolerance(type).relative));
}

bool all_are_of_narrow_type(const Case& known) {
  constexpr Dtype kNarrow[] = {Dtype::Bfloat16, Dtype::Float16};
  return std::any_of(std::begin(kNarrow), std::end(kNarrow), [&](Dtype type) {
    return std::all_of(known.answers.begin(), known.answers.end(), [&](const GradedAnswer& each) {
      return !each.theirs || holds_only(each.theirs->data(), type);
    });
  });
}

bool name_narrow_type(const Case& known, GradedAnswer& judged) {
  if (!judged.theirs || judged.close.grain > kByHand) return false;
  for (const Dtype type : {Dtype::Bfloat16, Dtype::Float16}) {
    const double relative = usual_tolerance(type).relative;
    if (!holds_only(judged.theirs->data(), type) || holds_only(judged.step->value.data(), type) ||
        !is_rounding(known, judged, relative))
      continue;
    const std::string name = name_of(type);
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
