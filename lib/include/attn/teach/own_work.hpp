// A graded sheet as its student went on with it.
#pragma once

#include <string>
#include <vector>

#include "attn/teach/grading.hpp"

namespace attn {

/// The computation from what is printed and what the student wrote; cells that were left empty are
/// NaN. Only the step `asked` is as it follows from those before it.
Trace own_work(const Grade& grade, const std::string& asked);

/// A step that another one uses, and how many of its blanks are right.
struct EarlierStep {
  std::string id;
  Index right = 0, blanks = 0;
};
std::vector<EarlierStep> earlier_steps(const Grade& grade, const Sheet& sheet,
                                       const std::string& asked);

}  // namespace attn
