// A table whose rows and columns are counted from 1.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "teach/check/equivalent.hpp"
#include "teach/check/finding.hpp"

namespace attn {
namespace {

/// Whether nothing has index 0 of an axis.
bool begins_blank(const Answer& answer, std::size_t axis) {
  std::size_t inner = 1;
  for (std::size_t i = axis + 1; i < answer.shape.size(); ++i)
    inner *= static_cast<std::size_t>(answer.shape[i]);
  for (std::size_t i = 0; i < answer.states.size(); ++i) {
    const bool first = i / inner % static_cast<std::size_t>(answer.shape[axis]) == 0;
    if (first && answer.states[i] != CellState::Empty) return false;
  }
  return !answer.states.empty();
}

/// The answer without index 0 of these axes.
Answer counted_from(const Answer& answer, const std::vector<bool>& from_one) {
  Answer own = answer;
  own.numbers.clear();
  own.states.clear();
  for (std::size_t axis = 0; axis < own.shape.size(); ++axis) own.shape[axis] -= from_one[axis];
  for (std::size_t i = 0; i < answer.states.size(); ++i) {
    bool stays = true;
    std::size_t rest = i;
    for (std::size_t axis = answer.shape.size(); axis-- > 0;) {
      const auto size = static_cast<std::size_t>(answer.shape[axis]);
      stays = stays && !(from_one[axis] && rest % size == 0);
      rest /= size;
    }
    if (!stays) continue;
    own.numbers.push_back(answer.numbers[i]);
    own.states.push_back(answer.states[i]);
  }
  return own;
}

bool is_within(const std::vector<Index>& theirs, const std::vector<Index>& ours) {
  return theirs.size() == ours.size() &&
         std::equal(theirs.begin(), theirs.end(), ours.begin(), std::less_equal<>());
}

}  // namespace

Answers counted_from_zero(const Trace& truth, Answers answers, CheckReport& report) {
  std::vector<Answer> shifted;
  bool too_large = false;  // a matrix has an index that its step does not have
  for (const Answer& each : answers.matrices) {
    const Step* step = truth.find_named(each.id);
    if (!each.open_ended || step == nullptr || each.shape.size() < 2) return answers;
    const std::vector<Index> ours = step->value.shape().sizes();
    std::vector<bool> from_one;
    for (std::size_t axis = 0; axis < each.shape.size(); ++axis) {
      const bool matters =
          axis + 2 >= each.shape.size() || axis >= ours.size() || each.shape[axis] > ours[axis];
      from_one.push_back(matters && begins_blank(each, axis));
      const bool of_matrix = axis + 2 >= each.shape.size();
      if (of_matrix && !from_one.back()) return answers;
    }
    shifted.push_back(counted_from(each, from_one));
    too_large = too_large || !is_within(each.shape, ours);
    if (!is_within(shifted.back().shape, ours)) return answers;
  }
  if (!too_large) return answers;
  answers.matrices = std::move(shifted);
  report.findings.push_back(finding_of(*find_mistake("layout.from_one"), 0, 0));
  return answers;
}

}  // namespace attn
