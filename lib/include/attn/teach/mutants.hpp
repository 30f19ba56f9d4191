// Wrong computations on purpose: what a grader of one's own should tell from the right one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "attn/check.hpp"
#include "attn/teach/mistakes.hpp"
#include "attn/trace.hpp"

namespace attn {

/// A computation with one known mistake built in.
struct Mutant {
  const Mistake& mistake;
  const Trace& trace;
  /// The largest difference from the right numbers of the steps that are looked at; infinite if one
  /// of them is not there, or has another shape.
  double difference = 0.0;
  bool seen = false;  ///< whether a number of these steps is off by more than the tolerance
};

/// Calls `use` for each mistake that can occur in this computation, one after the other, in the
/// order of `mistakes()`. `steps` are ids of steps of `truth`.
void each_mutant(const Trace& truth, const std::vector<std::string>& steps,
                 const Tolerance& tolerance, const std::function<void(const Mutant& mutant)>& use);

}  // namespace attn
