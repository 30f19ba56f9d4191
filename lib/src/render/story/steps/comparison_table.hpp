// A line for each step of two computations: what differs, and where first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "attn/teach/comparison.hpp"

namespace attn {

/// Numbers the steps of both sides together.
class StepNumbers {
 public:
  /// `comparison` must outlive them.
  StepNumbers(const Comparison& comparison, const Trace& left, const Trace& right);

  /// 0 for a mask, which the masked scores show.
  std::size_t of(const StepDifference& step) const {
    return numbers_[static_cast<std::size_t>(&step - steps_)];
  }
  std::size_t total() const { return total_; }

 private:
  const StepDifference* steps_;
  std::vector<std::size_t> numbers_;
  std::size_t total_ = 0;
};

/// Number, id, what differs, the first cell, and the gaps of a step.
std::vector<std::string> comparison_row(const StepDifference& step, const StepNumbers& numbers,
                                        const Trace& left, int precision);

/// `name` of a cell with its head and batch entry if there are several: "A[cat, the] of head 1".
std::string place_text(std::string name, const Step& step, const Cell& cell);

}  // namespace attn
