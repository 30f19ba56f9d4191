// Keeps, of two matrices for a step, the one farther from the right numbers; notes if they differ.
#include "teach/check/one_per_step.hpp"

#include <algorithm>
#include <cmath>

#include "attn/phrases.hpp"
#include "attn/teach/comparison.hpp"
#include "teach/check/graded_answer.hpp"

namespace attn {
namespace {

/// The largest difference from `right`; infinity where the shapes differ.
double largest_gap(const Answer& answer, const NumberSpan right) {
  if (answer.numbers.size() != right.size()) return HUGE_VAL;
  double most = 0.0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double theirs = answer.numbers[i], gap = std::abs(theirs - right[i]);
    const bool same = theirs == right[i] || (std::isnan(theirs) && std::isnan(right[i]));
    if (!same) most = std::max(most, std::isnan(gap) ? HUGE_VAL : gap);
  }
  return most;
}

}  // namespace

void OnePerStep::keep(Answer answer, const std::string& theirs, std::vector<std::string>& notes) {
  const Step& step = *truth_.find_named(answer.id);
  const auto [at, is_new] = given_.try_emplace(step.id, all_.size(), theirs);
  if (is_new) return all_.push_back(std::move(answer));
  auto& [place, name] = at->second;
  Answer& first = all_[place];
  const double between = largest_gap(answer, NumberSpan(first.numbers));
  const NumberSpan right = step.value.data();
  std::string dropped = theirs;
  if (largest_gap(answer, right) > largest_gap(first, right)) {
    first = std::move(answer);
    std::swap(dropped, name);
  }
  if (between > usual_tolerance(dtype_).relative * magnitude(truth_, step)) {
    notes.push_back(
        filled("not compared: {}, which is {}, too, and differs from {}", dropped, step.id, name));
  }
}

}  // namespace attn
