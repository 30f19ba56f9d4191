// What can be seen in a wrong matrix that no known mistake explains, in plain words.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/trace/axis_names.hpp"
#include "teach/check/search.hpp"

namespace attn {

/// Adds findings whose codes begin with "evidence."; they contain no right number. Where a mistake
/// is named, or no wrong cell holds a finite number, only the one about ∞ and NaN.
void add_evidence(const Case& known, GradedAnswer& judged, bool is_named);

/// What was seen, as a sentence without any right number; the facts have the numbers.
struct Seen {
  Seen(std::string said, std::vector<Fact> numbers = {})  // NOLINT: a sentence alone will do
      : text(std::move(said)), facts(std::move(numbers)) {}
  Seen(const char* said) : text(said) {}  // NOLINT
  std::string text;
  std::vector<Fact> facts;
};
using Said = std::optional<Seen>;

/// A factor, and the sizes that come nearest to it: "√d_k = 1.732".
std::vector<Fact> facts_of_factor(double factor, const Settings& sizes);

/// A matrix that is that of another step, and one to which another is added: a residual, say.
Said numbers_of_other_step(const Case& known, const GradedAnswer& judged);
Said added_step(const Case& known, const GradedAnswer& judged);
/// How many cells are not finite, and where; there must be one.
std::string not_finite_text(const GradedAnswer& judged);
/// ∞ and NaN where numbers belong.
Said not_finite(const Case& known, const GradedAnswer& judged);
/// Weights that are not shares: sums of rows and columns, numbers below 0 or above 1.
Said sums_of_weights(const Case& known, const GradedAnswer& judged);
Said range_of_weights(const Case& known, const GradedAnswer& judged);
/// Zeros where keys are visible, and weight where they are hidden.
Said zeros_of_weights(const Case& known, const GradedAnswer& judged);
/// The same in a mask and in masked scores.
Said visible_in_mask(const Case& known, const GradedAnswer& judged);
/// The slope of ln(weights), each row centred, against the right one: a temperature.
Said slope_of_weights(const Case& known, const GradedAnswer& judged);

/// A number as evidence quotes it: four significant digits.
std::string text_of(double x);
/// "\"dreams\"", or "q2" where the name is no token.
std::string quoted_name(const AxisName& name, Index i);
/// "the row of "dreams"", "column q2".
std::string line_text(const char* what, const AxisName& name, Index i);
/// " in head 1 in batch entry 0", where there are several.
std::string in_slice(const Tensor& t, const Cell& cell);
bool all_are(const std::vector<double>& numbers, double wanted, double tolerance);

}  // namespace attn
